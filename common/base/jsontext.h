/* Writes text as JSON (RFC 8259). */
#ifndef BASE_JSONTEXT_H
#define BASE_JSONTEXT_H

#include <stdbool.h>

#include "common/base/out.h"

/* Write s as a string with its quotes; a byte that is not UTF-8 becomes U+FFFD. */
void jsontext_string(struct out *o, struct span s);

/* As jsontext_string, for JSON inside an HTML script element or an XML CDATA section: write "<",
 * ">", "&" and characters that XML does not allow as \u003c; with `ascii`, also all characters that
 * are not ASCII. */
void jsontext_embedded(struct out *o, struct span s, bool ascii);

#endif

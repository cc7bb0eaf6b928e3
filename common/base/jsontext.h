/* Writes text as JSON (RFC 8259). */
#ifndef BASE_JSONTEXT_H
#define BASE_JSONTEXT_H

#include <stdbool.h>

#include "common/base/out.h"

/* Writes s as a string with its quotes; a byte that is not UTF-8 becomes U+FFFD. */
void jsontext_string(struct out *o, struct span s);

/* The same for JSON inside a script element of HTML or a CDATA section of XML: "<", ">", "&" and
 * the characters that XML does not allow are written as \u003c; if `ascii`, all that are not ASCII
 * too. */
void jsontext_embedded(struct out *o, struct span s, bool ascii);

#endif

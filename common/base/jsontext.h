/* Writes text as JSON (RFC 8259). */
#ifndef BASE_JSONTEXT_H
#define BASE_JSONTEXT_H

#include "common/base/out.h"

/* Writes s as a string with its quotes; a byte that is not UTF-8 becomes U+FFFD. */
void jsontext_string(struct out *o, struct span s);

#endif

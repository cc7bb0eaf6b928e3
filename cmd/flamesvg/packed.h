/* Numbers as text that a script decodes fast. */
#ifndef FLAMESVG_PACKED_H
#define FLAMESVG_PACKED_H

#include "common/base/out.h"

/* Write n in base 32, most significant digit first, in the alphabet 0-9 A-Z a-z - _, which has 64
 * characters: the first 32 are a number's last digit, the other 32 a digit that another one
 * follows. So 5 is "5", 31 "V" and 37 "X5", and numbers need nothing between them. */
void packed_put(struct out *o, uint64_t n);

#endif

/* Writes numbers as text that a script decodes fast. */
#ifndef FLAMESVG_BASE32_H
#define FLAMESVG_BASE32_H

#include "common/base/out.h"

/* Write n in base 32, most significant digit first. The alphabet 0-9 A-Z a-z - _ has 64 characters:
 * the first 32 are for the last digit of a number, the other 32 for all digits before it. So 5 is
 * "5", 31 "V" and 37 "X5", and no separator between numbers is needed. */
void base32_put(struct out *o, uint64_t n);

enum { BASE32_MAX = 13 }; /* digits of a number of 64 bits */

extern const char base32_alphabet[];
char *base32_write_large(char *to, uint64_t n);

/* Write n to memory, and return the end of its text. Fast for one or two digits, as most numbers of
 * a table have. */
static inline char *
base32_write(char *to, uint64_t n)
{
    if (n >= 1024)
        return base32_write_large(to, n);
    if (n >= 32)
        *to++ = base32_alphabet[32 + n / 32];
    *to++ = base32_alphabet[n % 32];
    return to;
}

#endif

/* Numbers in text. */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdint.h>

#include "common/base/span.h"

enum { NUM_DIGITS = 20, NUM_COMMAS = 27 };

/* The value as decimal digits; the text stands in `digits`, NUM_DIGITS bytes. */
struct span num_decimal(char digits[static NUM_DIGITS], uint64_t value);

/* As num_decimal, with a comma before every three digits: "12,345". NUM_COMMAS bytes. */
struct span num_commas(char digits[static NUM_COMMAS], uint64_t value);

/* The whole of s as an unsigned decimal number. False, and *value untouched, where it is empty or
 * holds anything but digits; a number past 64 bits saturates. */
bool num_u64(struct span s, uint64_t *value);

/* The whole of s as a hexadecimal number of either case, with or without "0x". Fails as num_u64,
 * and on more than 16 digits. */
bool num_hex(struct span s, uint64_t *value);

/* a + b, at most UINT64_MAX. */
static inline uint64_t
num_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif

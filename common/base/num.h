/* Numbers in text. */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <float.h>
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

/* floor(3) of a number not below 0. Where it is all that a program needs of the mathematics
 * library, that library need not be loaded, which takes as long as a twentieth of a usual picture.
 */
static inline double
num_floor(double v)
{
    return v < 0x1p53 ? (double)(int64_t)v : v; /* from there on a double is whole */
}

/* Whether the number has no fraction; false for one that is not finite. */
static inline bool
num_is_whole(double v)
{
    return v < 0 ? num_floor(-v) == -v : v <= DBL_MAX && num_floor(v) == v;
}

/* a + b, at most UINT64_MAX. */
static inline uint64_t
num_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif

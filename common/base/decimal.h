/* Unsigned decimal numbers that add up exactly: 64 bits before the point, 18 digits after it. A
 * number of 2^64 - 1 or more saturates: it is kept as one value, which is called full, and stays
 * full in sums, differences and shifts. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdint.h>

#include "common/base/span.h"

struct decimal {
    uint64_t whole;
    uint64_t fraction; /* in units of 10^-18 */
};

enum {
    DECIMAL_DIGITS = 18,
    DECIMAL_TEXT = 20 + 1 + DECIMAL_DIGITS,
    DECIMAL_COMMAS = DECIMAL_TEXT + 6,
};

/* Parse all of s: "31", "31.", "31.23". Digits after the 18th decimal place are dropped; a number
 * of more than 64 bits saturates. False, with *d unchanged, on anything else. */
bool decimal_parse(struct span s, struct decimal *d);

/* a + b; saturates at the largest value. */
struct decimal decimal_add(struct decimal a, struct decimal b);

/* *difference = a - b; false, with *difference unchanged, if that is below 0. */
bool decimal_subtract(struct decimal a, struct decimal b, struct decimal *difference);

/* d times 10 to the power `places`, from -18 to 18. Digits after the 18th decimal place are
 * dropped; saturates at the largest value. */
struct decimal decimal_shift(struct decimal d, int places);

/* Return true for what may be the rest of a larger number, which is to be reported as DECIMAL_FULL.
 * Counts are not negative: if a sum of them all is not full, no part of it is. */
static inline bool
decimal_is_full(struct decimal d)
{
    return d.whole == UINT64_MAX;
}

#define DECIMAL_FULL                                                                               \
    "counts add up to more than 18446744073709551614, the most that can be counted: what is "      \
    "shown of them is too small"

/* Return the value without trailing zeros, "31.23" or "31", written into `text`. */
struct span decimal_text(char text[static DECIMAL_TEXT], struct decimal d);

/* As decimal_text, with a comma before every three digits of the whole part: "12,345.5". */
struct span decimal_commas(char text[static DECIMAL_COMMAS], struct decimal d);

/* Return the nearest double, or one next to it. */
double decimal_double(struct decimal d);

static inline bool
decimal_is_zero(struct decimal d)
{
    return d.whole == 0 && d.fraction == 0;
}

#endif

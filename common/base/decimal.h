/* Unsigned decimal numbers that add up exactly: 64 bits before the point, 18 digits after it. A
 * number of 2^64 - 1 or more saturates: it becomes one special value, called full, which stays full
 * in sums, differences and shifts. */
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

/* Parse all of s: "31", "31.", "31.23". Digits after the 18th decimal place are ignored; a number
 * of more than 64 bits saturates. Return false, with *d unchanged, for anything else. */
bool decimal_parse(struct span s, struct decimal *d);

/* Return a + b, saturated. */
struct decimal decimal_add(struct decimal a, struct decimal b);

/* Set *difference to a - b. Return false, with *difference unchanged, if that is negative. */
bool decimal_subtract(struct decimal a, struct decimal b, struct decimal *difference);

/* Return d times 10 to the power `places`, from -18 to 18, saturated. Digits after the 18th decimal
 * place are dropped. */
struct decimal decimal_shift(struct decimal d, int places);

/* Return true if the value may be less than the real sum; report DECIMAL_FULL then. Counts are not
 * negative: if the sum of all is not full, no partial sum is. */
static inline bool
decimal_is_full(struct decimal d)
{
    return d.whole == UINT64_MAX;
}

#define DECIMAL_FULL                                                                               \
    "counts add up to more than 18446744073709551614, the most that can be counted: what is "      \
    "shown of them is too small"

/* Write the value without trailing zeros, "31.23" or "31", into `text`, and return it. */
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

/* Integers as text, and helpers that avoid libm. */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <float.h>
#include <stdint.h>

#include "common/base/span.h"

enum { NUM_DIGITS = 20, NUM_COMMAS = 27 };

/* Return the value as decimal digits, written into `digits`. */
struct span num_decimal(char digits[static NUM_DIGITS], uint64_t value);

/* As num_decimal, with a comma before every three digits: "12,345". */
struct span num_commas(char digits[static NUM_COMMAS], uint64_t value);

/* The same as a C string, which is valid until the end of the block in which this is called. */
#define NUM_TEXT(value) (num_commas((char[NUM_COMMAS + 1]){0}, value).ptr)

/* Copy a decimal number, such as "-12345.5", into `text` with a comma before every three digits of
 * its whole part: "-12,345.5". `text` must hold a third more than the number. */
struct span num_group(char *text, struct span number);

/* Parse all of s as an unsigned decimal number; a number of more than 64 bits saturates. Return
 * false, with *value unchanged, if s is empty or has anything but digits. */
bool num_u64(struct span s, uint64_t *value);

extern const unsigned char num_hex_digits[256]; /* for num_hex_digit */

/* Return the value of a hexadecimal digit in either case, or 16 for another character. By a table,
 * since whether a digit is a letter cannot be predicted: 1 ms for the kernel's 122,000 symbols. */
static inline unsigned
num_hex_digit(char c)
{
    return num_hex_digits[(unsigned char)c] ^ 16u;
}

/* Parse all of s as a whole number that may end in a unit: letters[i] multiplies it by factors[i].
 * Return false, with *value unchanged, for anything else and if the product exceeds 64 bits. */
bool num_unit(struct span s, const char *letters, const uint64_t *factors, uint64_t *value);

/* Parse all of s as a hexadecimal number in either case, with or without "0x". Return false, with
 * *value unchanged, if s is empty, has more than 16 digits, or has anything else. */
bool num_hex(struct span s, uint64_t *value);

/* Return floor(3) of a number that is not below 0, without libm: loading that library takes a
 * twentieth of the time of drawing a usual flame graph. */
static inline double
num_floor(double v)
{
    return v < 0x1p53 ? (double)(int64_t)v : v; /* from there on a double is whole */
}

/* Return true if the number has no fraction; false if it is not finite. */
static inline bool
num_is_whole(double v)
{
    return v < 0 ? num_floor(-v) == -v : v <= DBL_MAX && num_floor(v) == v;
}

/* Return a + b, at most UINT64_MAX. */
static inline uint64_t
num_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif

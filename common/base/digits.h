/* Reads digits eight at a time. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

/* Count the decimal digits at the start of the eight bytes at p: 0 to 8. Put their values into
 * *digits, a byte each, the first digit in the lowest byte; the bytes above them are arbitrary. All
 * eight bytes are tested with one calculation: a loop would cost a mispredicted branch. */
static inline size_t
digits_run(const char *p, uint64_t *digits)
{
    const uint64_t ones = 0x0101010101010101;
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    *digits = x ^= ones * '0';
    x = (x + ones * (0x80 - 10)) | x; /* the top bit of a byte: no digit; exact up to the first */
    x &= ones << 7;
    return x != 0 ? (size_t)__builtin_ctzll(x) / 8 : 8;
}

/* Read the decimal number at p, of at most eight digits, into *value. Return how many digits it
 * has; 0: there is none. Reads eight bytes. */
static inline size_t
digits_read(const char *p, uint64_t *value)
{
    uint64_t x;
    size_t n = digits_run(p, &x);
    x = n > 0 ? x << (64 - 8 * n) : 0; /* puts zeros before the digits */
    x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ff;
    x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffff;
    *value = (x * 10000 + (x >> 32)) & 0xffffffff;
    return n;
}

/* Return the first byte from p on that is not a digit. Up to seven bytes after it are read. */
static inline const char *
digits_end(const char *p)
{
    uint64_t digits;
    size_t n;
    do
        p += n = digits_run(p, &digits);
    while (n == 8);
    return p;
}

#endif

/* Scans the strings of JSON, eight bytes at a time. */
#ifndef BASE_JSONRUN_H
#define BASE_JSONRUN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The high bit of each byte of x that is below the ASCII character c, and perhaps of bytes after
 * the first such one (Warren, Hacker's Delight, 6-1). */
static inline uint64_t
json_bytes_below(uint64_t x, unsigned char c)
{
    const uint64_t ones = 0x0101010101010101;
    return (x - ones * c) & ~x & ones << 7;
}

/* The length of the run of characters from p on that are no quote, backslash or control character.
 */
static inline size_t
json_plain_run(const char *p, const char *end)
{
    const char *start = p;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = 0x0101010101010101;
    for (; end - p >= 8; p += 8) {
        uint64_t x, found;
        memcpy(&x, p, sizeof x);
        found = json_bytes_below(x, ' ') | json_bytes_below(x ^ ones * '"', 1) |
                json_bytes_below(x ^ ones * '\\', 1);
        if (found != 0)
            return (size_t)(p - start) + (size_t)__builtin_ctzll(found) / 8;
    }
#endif
    while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= ' ')
        p++;
    return (size_t)(p - start);
}

#endif

/* Eight bytes of text at a time, in a register. What is found out of a byte stands in its highest
 * bit, the others are 0; the order of the bytes does not matter. After "Determine if a word has a
 * byte less than n", Bit Twiddling Hacks (Anderson, 1997 to 2005). */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdint.h>
#include <string.h>

/* The same byte eight times. */
#define BYTES_ALL(byte) (0x0101010101010101u * (byte))

static inline uint64_t
bytes_load(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Which bytes are above n, which is at most 0x7f. */
static inline uint64_t
bytes_above(uint64_t v, unsigned n)
{
    return (((v & BYTES_ALL(0x7f)) + BYTES_ALL(0x7f - n)) | v) & BYTES_ALL(0x80);
}

/* The bytes added up. */
static inline unsigned
bytes_sum(uint64_t v)
{
    const uint64_t pairs = 0x00ff00ff00ff00ffu;
    v = (v & pairs) + (v >> 8 & pairs);
    return (unsigned)(v * 0x0001000100010001u >> 48);
}

#endif

/* Takes the numbers of DWARF one after the other from bytes in memory. What is not there is 0, and
 * noted, so that a parser checks once, at its end. */
#ifndef BASE_READER_H
#define BASE_READER_H

#include <stdint.h>

#include "common/base/span.h"

struct reader {
    const unsigned char *at, *end;
    bool cut; /* a number lay beyond the end */
};

static inline struct reader
reader_of(struct span s)
{
    const unsigned char *at = (const unsigned char *)s.ptr;
    return (struct reader){.at = at, .end = s.len > 0 ? at + s.len : at};
}

static inline size_t
reader_left(const struct reader *r)
{
    return (size_t)(r->end - r->at);
}

/* Return the next n bytes; empty, and r->cut is set, if there are fewer. */
static inline struct span
reader_take(struct reader *r, uint64_t n)
{
    if (n > reader_left(r)) {
        r->cut = true;
        r->at = r->end;
        n = 0;
    }
    struct span taken = span_of((const char *)r->at, (size_t)n);
    r->at += n;
    return taken;
}

static inline uint8_t
reader_u8(struct reader *r)
{
    if (r->at == r->end) {
        r->cut = true;
        return 0;
    }
    return *r->at++;
}

/* Return the text up to the next NUL byte, and skip that. */
static inline struct span
reader_string(struct reader *r)
{
    struct span left = span_of((const char *)r->at, reader_left(r));
    size_t nul = span_find(left, '\0');
    if (nul == SPAN_NONE)
        return reader_take(r, UINT64_MAX);
    r->at += nul + 1;
    return span_head(left, nul);
}

/* Return the next number of 1, 2, 4 or 8 bytes in this machine's byte order. */
static inline uint64_t
reader_fixed(struct reader *r, size_t size)
{
    uint16_t narrow = 0;
    uint32_t middle = 0;
    uint64_t wide = 0;
    struct span s = reader_take(r, size);
    if (s.len == 0)
        return 0;
    switch (size) {
    case 1:
        return (unsigned char)s.ptr[0];
    case sizeof narrow:
        memcpy(&narrow, s.ptr, sizeof narrow);
        return narrow;
    case sizeof middle:
        memcpy(&middle, s.ptr, sizeof middle);
        return middle;
    case sizeof wide:
        memcpy(&wide, s.ptr, sizeof wide);
        return wide;
    default:
        return 0;
    }
}

/* Return the next unsigned LEB128 number; bits from 64 on are dropped. */
static inline uint64_t
reader_uleb(struct reader *r)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = reader_u8(r);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
}

/* Return the next signed LEB128 number; bits from 64 on are dropped. */
static inline int64_t
reader_sleb(struct reader *r)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = reader_u8(r);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte >= 0x80);
    if (shift < 64 && (byte & 0x40) != 0)
        value |= ~(uint64_t)0 << shift;
    return (int64_t)value;
}

#endif

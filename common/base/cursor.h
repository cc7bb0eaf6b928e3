/* Reads numbers and bytes one after the other from memory: the fields of records in this machine's
 * byte order, and the numbers of DWARF. Beyond the end, all is 0 or empty, and `cut` is set, so
 * that a parser checks only once, at its end. All results borrow from the memory. */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include "common/base/load.h"

struct cursor {
    const unsigned char *at, *end;
    bool cut; /* a read went beyond the end */
};

static inline struct cursor
cursor_of(struct span s)
{
    const unsigned char *at = (const unsigned char *)s.ptr;
    return (struct cursor){.at = at, .end = s.len > 0 ? at + s.len : at};
}

/* Return the number of bytes left. */
static inline size_t
cursor_left(const struct cursor *c)
{
    return (size_t)(c->end - c->at);
}

/* Return the next n bytes. If there are fewer, return none, and skip to the end. */
static inline struct span
cursor_take(struct cursor *c, uint64_t n)
{
    if (n > cursor_left(c)) {
        c->cut = true;
        c->at = c->end;
        n = 0;
    }
    struct span taken = span_of((const char *)c->at, (size_t)n);
    c->at += n;
    return taken;
}

/* Return the next number of 1, 2, 4 or 8 bytes in this machine's byte order; 0 beyond the end. */
static inline uint8_t
cursor_u8(struct cursor *c)
{
    if (c->at == c->end) {
        c->cut = true;
        return 0;
    }
    return *c->at++;
}

static inline uint16_t
cursor_u16(struct cursor *c)
{
    struct span s = cursor_take(c, sizeof(uint16_t));
    return s.len > 0 ? load_u16(s.ptr) : 0;
}

static inline uint32_t
cursor_u32(struct cursor *c)
{
    struct span s = cursor_take(c, sizeof(uint32_t));
    return s.len > 0 ? load_u32(s.ptr) : 0;
}

static inline uint64_t
cursor_u64(struct cursor *c)
{
    struct span s = cursor_take(c, sizeof(uint64_t));
    return s.len > 0 ? load_u64(s.ptr) : 0;
}

/* Return the next number of 1, 2, 4 or 8 bytes. For another size, skip the bytes and return 0. */
static inline uint64_t
cursor_fixed(struct cursor *c, size_t size)
{
    switch (size) {
    case sizeof(uint8_t):
        return cursor_u8(c);
    case sizeof(uint16_t):
        return cursor_u16(c);
    case sizeof(uint32_t):
        return cursor_u32(c);
    case sizeof(uint64_t):
        return cursor_u64(c);
    default:
        cursor_take(c, size);
        return 0;
    }
}

/* Return all bytes left. */
static inline struct span
cursor_rest(struct cursor *c)
{
    return cursor_take(c, cursor_left(c));
}

/* Return the next unsigned LEB128 number; bits from 64 on are dropped. */
static inline uint64_t
cursor_uleb(struct cursor *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = cursor_u8(c);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
}

/* Return the next signed LEB128 number; bits from 64 on are dropped. */
static inline int64_t
cursor_sleb(struct cursor *c)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = cursor_u8(c);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte >= 0x80);
    if (shift < 64 && (byte & 0x40) != 0)
        value |= ~(uint64_t)0 << shift;
    return (int64_t)value;
}

/* Return the next `count` groups of `each` 64-bit numbers; `each` is not 0. */
static inline struct words
cursor_words(struct cursor *c, uint64_t count, size_t each)
{
    size_t size = each * sizeof(uint64_t);
    struct span s = cursor_take(c, count <= cursor_left(c) / size ? count * size : UINT64_MAX);
    return (struct words){s.ptr, s.len / sizeof(uint64_t)};
}

/* Return the text up to the next NUL byte, and skip the NUL. Without a NUL, set `cut` and return
 * "". */
static inline struct span
cursor_string(struct cursor *c)
{
    struct span left = span_of((const char *)c->at, cursor_left(c));
    size_t nul = span_find(left, '\0');
    if (nul == SPAN_NONE)
        return cursor_take(c, UINT64_MAX);
    c->at += nul + 1;
    return span_head(left, nul);
}

/* Return the text up to a NUL or the end, and skip everything: the rest is padding. */
static inline struct span
cursor_padded(struct cursor *c)
{
    return load_text(cursor_rest(c));
}

#endif

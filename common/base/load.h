/* Integers in the host's byte order at addresses that need not be aligned. */
#ifndef BASE_LOAD_H
#define BASE_LOAD_H

#include <stdint.h>

#include "common/base/span.h"

static inline uint16_t
load_u16(const char *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint32_t
load_u32(const char *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t
load_u64(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void
store_u16(char *p, uint16_t v)
{
    memcpy(p, &v, sizeof v);
}

static inline void
store_u32(char *p, uint32_t v)
{
    memcpy(p, &v, sizeof v);
}

static inline void
store_u64(char *p, uint64_t v)
{
    memcpy(p, &v, sizeof v);
}

/* Borrowed 64-bit numbers, not necessarily aligned. */
struct words {
    const char *ptr;
    size_t count;
};

/* Return the i-th number; i is less than w.count. */
static inline uint64_t
words_at(struct words w, size_t i)
{
    return load_u64(w.ptr + i * sizeof(uint64_t));
}

/* Return the text of s up to its first NUL, or all of s if it has none. */
static inline struct span
load_text(struct span s)
{
    size_t end = span_find(s, '\0');
    return end != SPAN_NONE ? span_head(s, end) : s;
}

#endif

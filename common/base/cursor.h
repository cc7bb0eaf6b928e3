/* Takes the fields of a record one after the other. What is not there is 0 or empty, and noted, so
 * that a decoder checks once, at its end. */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include "common/base/load.h"

struct cursor {
    struct span rest; /* not yet taken */
    bool cut;         /* a field lay beyond the end */
};

/* Return the next n bytes. */
static inline struct span
cursor_take(struct cursor *c, uint64_t n)
{
    if (n > c->rest.len) {
        c->cut = true;
        c->rest = span_head(c->rest, 0);
        return c->rest;
    }
    struct span taken = span_head(c->rest, (size_t)n);
    c->rest = span_from(c->rest, (size_t)n);
    return taken;
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

/* Return the next `count` groups of `each` 64-bit numbers; `each` is not 0. */
static inline struct words
cursor_words(struct cursor *c, uint64_t count, size_t each)
{
    size_t size = each * sizeof(uint64_t);
    struct span s = cursor_take(c, count <= c->rest.len / size ? count * size : UINT64_MAX);
    return (struct words){s.ptr, s.len / sizeof(uint64_t)};
}

/* Return the text up to a NUL or the end; what follows, up to the end, is taken too: it is
 * padding. */
static inline struct span
cursor_text(struct cursor *c)
{
    return load_text(cursor_take(c, c->rest.len));
}

#endif

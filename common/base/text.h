/* Text that grows. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "common/base/mem.h"

/* {0} is an empty one; setting len to 0 empties it. */
struct text {
    char *ptr;
    size_t len, cap;
};

static inline void
text_add(struct text *t, struct span s)
{
    t->ptr = mem_grow(t->ptr, &t->cap, t->len + s.len + 1, 1);
    if (s.len > 0)
        memcpy(t->ptr + t->len, s.ptr, s.len);
    t->len += s.len;
}

/* What is there; good until the next text_add. */
static inline struct span
text_span(const struct text *t)
{
    return span_of(t->ptr, t->len);
}

#endif

/* A growable buffer of text. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "common/base/mem.h"

/* {0} is an empty one; setting len to 0 empties it. The owner frees ptr. */
struct text {
    char *ptr;
    size_t len, cap;
};

/* Append s, which must not point into t. */
static inline void
text_add(struct text *t, struct span s)
{
    t->ptr = mem_grow(t->ptr, &t->cap, t->len + s.len + 1, 1);
    if (s.len > 0)
        memcpy(t->ptr + t->len, s.ptr, s.len);
    t->len += s.len;
}

/* Make s the whole text; s must not point into t. */
static inline void
text_set(struct text *t, struct span s)
{
    t->len = 0;
    text_add(t, s);
}

/* Replace each of one character by another. */
static inline void
text_replace(struct text *t, char from, char to)
{
    for (size_t i = 0; i < t->len; i++)
        t->ptr[i] = t->ptr[i] == from ? to : t->ptr[i];
}

/* Return the whole text; valid until the next text_add. */
static inline struct span
text_span(const struct text *t)
{
    return span_of(t->ptr, t->len);
}

#endif

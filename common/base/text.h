/* A growable buffer of text. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "common/base/mem.h"

/* {0} is empty; set len to 0 to empty it. The owner frees ptr. */
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

/* Replace the text by s, which must not point into t. */
static inline void
text_set(struct text *t, struct span s)
{
    t->len = 0;
    text_add(t, s);
}

/* Append n spans. */
static inline void
text_add_all(struct text *t, const struct span *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        text_add(t, s[i]);
}

/* Append all spans that are arguments; or replace the text by them. */
#define TEXT_ADD(t, ...)                                                                           \
    text_add_all(t, (const struct span[]){__VA_ARGS__},                                            \
                 sizeof((const struct span[]){__VA_ARGS__}) / sizeof(struct span))
#define TEXT_SET(t, ...) ((t)->len = 0, TEXT_ADD(t, __VA_ARGS__))

/* Replace each occurrence of a character by another. */
static inline void
text_replace(struct text *t, char from, char to)
{
    for (size_t at = 0; at < t->len; at++) {
        char *found = memchr(t->ptr + at, from, t->len - at);
        if (found == NULL)
            return;
        *found = to;
        at = (size_t)(found - t->ptr);
    }
}

/* Return the whole text; valid until the next text_add. Its pointer is not NULL even if nothing was
 * ever added, since C does not define arithmetic on NULL, not even adding 0. */
static inline struct span
text_span(const struct text *t)
{
    return span_of(t->ptr != NULL ? t->ptr : "", t->len);
}

#endif

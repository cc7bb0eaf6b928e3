/* Growable arrays of any type. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "common/base/mem.h"

/* The array is `at`, with n elements. {0} is empty; the owner frees `at`. */
#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t n, cap;                                                                             \
    }

/* Append an element, the last argument; it may contain commas. */
#define VEC_ADD(v, ...) MEM_ADD((v).at, (v).n, (v).cap, __VA_ARGS__)

/* Append zeroed elements until there are `size` of them. */
#define VEC_REACH(v, size) ((v).at = vec_reach((v).at, &(v).n, &(v).cap, size, sizeof *(v).at))

/* VEC_REACH for any type; do not call it directly. */
static inline void *
vec_reach(void *at, size_t *n, size_t *cap, size_t need, size_t size)
{
    at = mem_grow(at, cap, need, size);
    if (*n < need)
        memset((char *)at + *n * size, 0, (need - *n) * size);
    *n = *n < need ? need : *n;
    return at;
}

#endif

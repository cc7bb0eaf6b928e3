/* Memory allocation that does not fail: if memory is exhausted, the program ends with a message and
 * status 1. No caller checks a result. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "common/base/span.h"

/* Return n bytes, uninitialized, for the caller to free(). */
void *mem_alloc(size_t n);

/* mem_grow for an array that is too small; do not call it directly. */
void *mem_grow_more(void *old, size_t *cap, size_t need, size_t size);

/* Grow the array `old` of *cap elements, `size` bytes each, to at least `need` elements, and set
 * *cap. The capacity at least doubles, so that n appends cost linear time. Return the array, which
 * may have moved; new elements are uninitialized. */
static inline void *
mem_grow(void *old, size_t *cap, size_t need, size_t size)
{
    return need <= *cap ? old : mem_grow_more(old, cap, need, size);
}

/* Append an element, the last argument, which may contain commas, to the array `at` of n
 * elements. */
#define MEM_ADD(at, n, cap, ...)                                                                   \
    ((at) = mem_grow((at), &(cap), (n) + 1, sizeof *(at)), (at)[(n)] = (__VA_ARGS__), (void)(n)++)

/* Ask the kernel to map all pages of n bytes that will be filled soon (madvise(2), since Linux
 * 5.14; an older kernel refuses, and each page faults at its first use). For the blocks of an arena
 * this saves 4 % of stackcollapse's time and 8 % of flamesvg's on the benchmark "wide". */
void mem_populate(void *block, size_t n);

/* End the program as the functions above do if memory is exhausted. */
_Noreturn void mem_exhausted(void);

/* An arena: pieces of memory that all live until it is reset or freed. {0} is empty. */
struct arena {
    struct arena_block *blocks; /* newest first */
    char *at;
    size_t left;
};

/* Return n bytes, uninitialized, aligned for any scalar. */
void *arena_alloc(struct arena *a, size_t n);

/* Return n bytes without alignment, for text. */
char *arena_text(struct arena *a, size_t n);

/* Return a copy of s. */
struct span arena_copy(struct arena *a, struct span s);

/* Return a copy of s as a C string. */
char *arena_cstr(struct arena *a, struct span s);

/* Return the arena's size in memory, in bytes. */
size_t arena_size(const struct arena *a);

/* Free all pieces, but keep one block for the next ones. */
void arena_reset(struct arena *a);

/* Free all pieces and blocks; the arena is then empty, as {0}. */
void arena_free(struct arena *a);

#endif

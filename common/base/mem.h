/* Memory that does not fail: where there is none left the program ends here, with a message and
 * status 1. No caller tests a result. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "common/base/span.h"

/* n bytes, not cleared; to be given to free(). */
void *mem_alloc(size_t n);

/* mem_grow where the array is too small. */
void *mem_grow_more(void *old, size_t *cap, size_t need, size_t size);

/* Grows the array `old` of *cap elements, `size` bytes each, so that it holds at least `need` of
 * them; *cap is set. At least doubles, so a row of appends costs linear time. Returns the array,
 * which may have moved; new elements are not cleared. */
static inline void *
mem_grow(void *old, size_t *cap, size_t need, size_t size)
{
    return need <= *cap ? old : mem_grow_more(old, cap, need, size);
}

/* Ends the program as the functions above do. */
_Noreturn void mem_exhausted(void);

/* An arena hands out pieces that live until the whole is reset or freed. {0} is an empty one. */
struct arena {
    struct arena_block *blocks; /* newest first */
    char *at;
    size_t left;
};

/* n bytes, not cleared, aligned for any scalar. */
void *arena_alloc(struct arena *a, size_t n);

/* n bytes without alignment: for text. */
char *arena_text(struct arena *a, size_t n);

/* A copy of s. */
struct span arena_copy(struct arena *a, struct span s);

/* A copy of s with a NUL behind it. */
char *arena_cstr(struct arena *a, struct span s);

/* Everything handed out so far is gone; one block is kept for what comes. */
void arena_reset(struct arena *a);

void arena_free(struct arena *a);

#endif

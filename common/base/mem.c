#define _GNU_SOURCE /* program_invocation_short_name, MADV_POPULATE_WRITE */
#include "common/base/mem.h"

#include <errno.h>
#include <malloc.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct arena_block {
    struct arena_block *next;
    size_t size; /* size of the data that follow */
    alignas(max_align_t) char data[];
};

enum { BLOCK_MIN = 32 * 1024, BLOCK_MAX = 1024 * 1024 };

/* Let large blocks be mappings of their own: they grow without a copy, and leave no gaps. By
 * default, glibc raises the threshold to the size of the largest block that was freed: for 4 MB of
 * the shortest names, flamesvg then takes 86 MB instead of 65, and stackdiff --format table 166 MB
 * instead of 121. */
#ifdef M_MMAP_THRESHOLD
static __attribute__((constructor)) void
fix_threshold(void)
{
    mallopt(M_MMAP_THRESHOLD, 128 * 1024); /* glibc's initial value */
}
#endif

_Noreturn void
mem_exhausted(void)
{
    fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
    exit(1);
}

void *
mem_alloc(size_t n)
{
    void *p = malloc(n > 0 ? n : 1);
    if (p == NULL)
        mem_exhausted();
    return p;
}

void *
mem_grow_more(void *old, size_t *cap, size_t need, size_t size)
{
    size_t n = *cap > SIZE_MAX / 2 ? SIZE_MAX : *cap * 2;
    if (n < need)
        n = need;
    if (n < 16)
        n = 16;
    void *p = n <= (size_t)PTRDIFF_MAX / size ? realloc(old, n * size) : NULL;
    if (p == NULL)
        mem_exhausted();
    *cap = n;
    return p;
}

void
mem_populate(void *block, size_t n)
{
#ifdef MADV_POPULATE_WRITE
    enum { PAGE = 4096 };
    size_t pad = (size_t)(-(uintptr_t)block) % PAGE;
    if (n >= pad + PAGE)
        madvise((char *)block + pad, (n - pad) / PAGE * PAGE, MADV_POPULATE_WRITE);
#else
    (void)block;
    (void)n;
#endif
}

/* Add a block. Sizes double up to BLOCK_MAX, so that a small run stays small. */
static void
arena_extend(struct arena *a, size_t n)
{
    size_t size = a->blocks != NULL ? a->blocks->size : BLOCK_MIN / 2;
    size = size < BLOCK_MAX ? size * 2 : BLOCK_MAX;
    if (size < n)
        size = n;
    if (size > (size_t)PTRDIFF_MAX - sizeof(struct arena_block))
        mem_exhausted();
    struct arena_block *b = mem_alloc(sizeof *b + size);
    b->next = a->blocks;
    b->size = size;
    if (b->next != NULL && b->next->size >= BLOCK_MAX && size == BLOCK_MAX)
        mem_populate(b->data, size); /* most likely, it will be filled, too */
    a->blocks = b;
    a->at = b->data;
    a->left = size;
}

char *
arena_text(struct arena *a, size_t n)
{
    if (n > a->left || a->at == NULL)
        arena_extend(a, n);
    char *p = a->at;
    a->at += n;
    a->left -= n;
    return p;
}

void *
arena_alloc(struct arena *a, size_t n)
{
    size_t pad = a->left > 0 ? (size_t)(-(uintptr_t)a->at) % alignof(max_align_t) : 0;
    if (a->left < pad || a->left - pad < n) {
        arena_extend(a, n);
        pad = 0;
    }
    return arena_text(a, pad + n) + pad;
}

struct span
arena_copy(struct arena *a, struct span s)
{
    char *p = arena_text(a, s.len);
    if (s.len > 0)
        memcpy(p, s.ptr, s.len);
    return span_of(p, s.len);
}

char *
arena_cstr(struct arena *a, struct span s)
{
    char *p = arena_text(a, s.len + 1);
    if (s.len > 0)
        memcpy(p, s.ptr, s.len);
    p[s.len] = '\0';
    return p;
}

size_t
arena_size(const struct arena *a)
{
    size_t size = 0;
    for (const struct arena_block *b = a->blocks; b != NULL; b = b->next)
        size += sizeof *b + b->size;
    return size;
}

void
arena_reset(struct arena *a)
{
    if (a->blocks == NULL)
        return;
    while (a->blocks->next != NULL) {
        struct arena_block *rest = a->blocks->next;
        a->blocks->next = rest->next;
        free(rest);
    }
    a->at = a->blocks->data;
    a->left = a->blocks->size;
}

void
arena_free(struct arena *a)
{
    while (a->blocks != NULL) {
        struct arena_block *b = a->blocks;
        a->blocks = b->next;
        free(b);
    }
    *a = (struct arena){0};
}

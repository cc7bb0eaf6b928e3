#include "tests/unit/test.h"

#include <stdalign.h>
#include <stdint.h>

#include "common/base/mem.h"
#include "tests/unit/child.h"

TEST("an array grows to what is needed and keeps its elements")
{
    uint32_t *v = NULL;
    size_t cap = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        v = mem_grow(v, &cap, i + 1, sizeof *v);
        v[i] = i;
    }
    CHECK(cap >= 10000);
    for (uint32_t i = 0; i < 10000; i++)
        CHECK(v[i] == i);
    free(v);
}

TEST("an array that is large enough does not move")
{
    size_t cap = 0;
    char *v = mem_grow(NULL, &cap, 100, 1);
    size_t before = cap;
    CHECK(mem_grow(v, &cap, 100, 1) == v && cap == before);
    free(v);
}

TEST("an array that is appended to doubles, so that appending costs linear time")
{
    size_t cap = 0, moves = 0, last = 0;
    char *v = NULL;
    for (size_t i = 0; i < 100000; i++) {
        v = mem_grow(v, &cap, i + 1, 1);
        moves += cap != last;
        last = cap;
    }
    CHECK(moves < 20);
    free(v);
}

struct growth {
    size_t cap, need, size;
};

static void
grow_too_far(void *arg)
{
    struct growth *g = arg;
    free(mem_grow(NULL, &g->cap, g->need, g->size));
}

static void
alloc_too_much(void *arg)
{
    (void)arg;
    free(mem_alloc(SIZE_MAX));
}

TEST("a size that overflows ends the program as a lack of memory")
{
    struct growth rows[] = {
        {0, SIZE_MAX, 1}, {0, SIZE_MAX / 2, 3}, {SIZE_MAX - 1, SIZE_MAX, 8}, {0, PTRDIFF_MAX, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct child c;
        child_run(&c, grow_too_far, &rows[i]);
        CHECK(c.status == 1);
        CHECK(span_search(c.err, SPAN("out of memory\n")) != SPAN_NONE);
    }
}

TEST("a lack of memory is reported with the program's name, and the status is 1")
{
    struct child c;
    child_run(&c, alloc_too_much, NULL);
    CHECK(c.status == 1);
    CHECK(span_search(c.err, SPAN("mem: out of memory\n")) != SPAN_NONE);
    CHECK_TEXT(c.out, "");
}

TEST("zero bytes can be allocated")
{
    void *p = mem_alloc(0);
    CHECK(p != NULL);
    free(p);
}

TEST("pieces of an arena are aligned and do not overlap")
{
    struct arena a = {0};
    unsigned char *pieces[300];
    for (size_t i = 0; i < 300; i++) {
        arena_text(&a, i % 7);
        pieces[i] = arena_alloc(&a, i * 5);
        CHECK((uintptr_t)pieces[i] % alignof(max_align_t) == 0);
        memset(pieces[i], (int)(i & 0xff), i * 5);
    }
    for (size_t i = 0; i < 300; i++)
        for (size_t j = 0; j < i * 5; j++)
            if (pieces[i][j] != (i & 0xff))
                CHECK(false && "a piece was overwritten");
    arena_free(&a);
}

TEST("a piece may be larger than the largest block")
{
    struct arena a = {0};
    char *small = arena_text(&a, 3), *large = arena_alloc(&a, 5 * 1024 * 1024);
    memcpy(small, "abc", 3);
    memset(large, 'x', 5 * 1024 * 1024);
    CHECK_TEXT(span_of(small, 3), "abc");
    arena_free(&a);
}

TEST("copies hold every byte, and a string ends in NUL")
{
    struct arena a = {0};
    struct span s = arena_copy(&a, SPAN("a\0b"));
    CHECK(span_eq(s, SPAN("a\0b")));
    CHECK(strcmp(arena_cstr(&a, SPAN("text")), "text") == 0);
    CHECK(strcmp(arena_cstr(&a, span_of(NULL, 0)), "") == 0);
    CHECK(arena_copy(&a, span_of(NULL, 0)).len == 0);
    arena_free(&a);
}

TEST("a reset arena uses the same block again")
{
    struct arena a = {0};
    arena_reset(&a);
    for (int i = 0; i < 10; i++)
        arena_alloc(&a, 20000);
    arena_reset(&a);
    char *first = arena_alloc(&a, 100);
    arena_reset(&a);
    CHECK(arena_alloc(&a, 100) == first);
    arena_free(&a);
    CHECK(a.blocks == NULL && a.left == 0);
}

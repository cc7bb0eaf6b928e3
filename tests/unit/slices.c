/* Counts of slices of time, merged into cells where there are too many. */
#include "cmd/flamesvg/slices.h"

#include <stdlib.h>

#include "tests/unit/test.h"

static void
add(struct slices *s, uint64_t ms, const char *stack, double count)
{
    slices_add(s, &(struct slice){.ms = ms}, span_cstr(stack), count);
}

/* Frees what a run of flamesvg keeps until it ends. */
static void
release(struct slices *s)
{
    intern_free(&s->stacks);
    intern_free(&s->times);
    free(s->sums);
    free(s->list);
    free(s->turns);
    free(s->cells);
}

TEST("a cell is a slice, and stacks that end in the same frame have one count in it")
{
    struct slices s = {0};
    add(&s, 7000, "a;b", 4);
    add(&s, 1200, "a", 1);
    add(&s, 1200, "a;c", 2);
    add(&s, 1300, "a;b", 3);
    slices_finish(&s, (const uint32_t[]){2, 1, 1}, 3);
    CHECK(s.slice == 100 && s.cell == 100 && s.ncells == 3);
    CHECK(s.cells[0] == 12 && s.cells[1] == 13 && s.cells[2] == 70);
    CHECK(s.n == 3);
    CHECK(s.list[0].stack == 1 && s.list[0].time == 0 && s.list[0].count == 3);
    CHECK(s.list[1].stack == 2 && s.list[1].time == 1 && s.list[1].count == 3);
    CHECK(s.list[2].stack == 2 && s.list[2].time == 2 && s.list[2].count == 4);
    CHECK(s.sums[0] == 7 && s.sums[1] == 1 && s.sums[2] == 2);
    release(&s);
}

TEST("of too many counts, cells of several slices are made, which begin at round times")
{
    enum { STACKS = 1000, SLICES = SLICES_MAX / STACKS + 1, FIRST = 1001 };
    static uint32_t frames[STACKS];
    struct slices s = {0};
    char name[16];
    double sum = 0;
    for (unsigned i = 0; i < STACKS; i++) {
        frames[i] = i;
        snprintf(name, sizeof name, "%u", i);
        for (unsigned n = 0; n < SLICES; n++)
            add(&s, (FIRST + n) * UINT64_C(1000), name, 1);
    }
    slices_finish(&s, frames, STACKS);
    CHECK(s.slice == 1000 && s.cell == 2000);
    CHECK(s.cells[0] == FIRST / 2 && s.ncells == SLICES / 2 + 1);
    CHECK(s.n == STACKS * s.ncells);
    for (size_t i = 0; i < s.n; i++)
        sum += s.list[i].count;
    CHECK(sum == (double)STACKS * SLICES);
    release(&s);
}

#include "cmd/stackdiff/gate.h"

#include <stdlib.h>

#include "common/stack/folded.h"

struct function {
    struct pair seen; /* in how many samples */
    size_t stack;     /* counted last, + 1 */
};

struct functions {
    struct intern names;
    struct function *list; /* by name's number */
    size_t cap;
};

struct growth {
    struct span name;
    double before, after; /* in percent */
};

static void
count_stack(struct functions *f, const struct profiles *p, size_t id)
{
    struct span stack = intern_text(&p->stacks, (uint32_t)id);
    do {
        uint32_t i;
        bool is_new = intern_put(&f->names, folded_frame(&stack), &i);
        f->list = mem_grow(f->list, &f->cap, f->names.count, sizeof *f->list);
        struct function *function = &f->list[i];
        if (is_new)
            *function = (struct function){0};
        if (function->stack == id + 1)
            continue; /* it called itself */
        function->stack = id + 1;
        for (size_t side = 0; side < 2; side++)
            function->seen.count[side] =
                p->dialect->numbers->add(function->seen.count[side], p->pairs[id].count[side]);
    } while (stack.ptr != NULL);
}

static double
percent(const struct profiles *p, const struct function *f, size_t side)
{
    return 100 * p->dialect->numbers->real(f->seen.count[side]) / profiles_total(p, side);
}

/* Fills `list` with the functions that grew too much; returns how many. `looked_at` becomes the
 * number of those that the gate is for. */
static size_t
find_growth(const struct gate *g, const struct profiles *p, const struct functions *f,
            struct growth *list, size_t *looked_at)
{
    /* So that 0.3 - 0.1 is not above 0.2: a double's error is far less, what is shown far more. */
    const double tolerance = 1e-9;
    size_t n = 0;
    *looked_at = 0;
    for (size_t i = 0; i < f->names.count; i++) {
        struct span name = intern_text(&f->names, (uint32_t)i);
        if (g->function != NULL && !pattern_matches(g->function, name))
            continue;
        ++*looked_at;
        double before = percent(p, &f->list[i], 0), after = percent(p, &f->list[i], 1);
        if (after - before > g->max_growth + tolerance)
            list[n++] = (struct growth){name, before, after};
    }
    return n;
}

static int
larger_first(const void *a, const void *b)
{
    const struct growth *x = a, *y = b;
    double gx = x->after - x->before, gy = y->after - y->before;
    return gx != gy ? (gx < gy) - (gx > gy) : span_cmp(x->name, y->name);
}

void
gate_check(const struct gate *g, const struct profiles *p, struct diag *diag)
{
    if (profiles_total(p, 0) <= 0 || profiles_total(p, 1) <= 0) {
        diag_error(diag, NOWHERE, "a profile without samples has no shares to compare");
        return;
    }
    struct functions f = {0};
    for (size_t id = 0; id < p->stacks.count; id++)
        count_stack(&f, p, id);
    struct growth *list = mem_alloc(f.names.count * sizeof *list);
    size_t looked_at, n = find_growth(g, p, &f, list, &looked_at);
    if (looked_at == 0) /* a misspelt pattern lets everything pass */
        diag_note(diag, "no function matches --function");
    if (n > 0)
        qsort(list, n, sizeof *list, larger_first);
    for (size_t i = 0; i < n; i++)
        diag_error(diag, NOWHERE, "%.*s: %.2f %% before, %.2f %% after, grew by %.2f points",
                   SPAN_ARG(list[i].name), list[i].before, list[i].after,
                   list[i].after - list[i].before);
    if (n > 0)
        diag_error(diag, NOWHERE, "%zu %s by more than %g points", n,
                   n == 1 ? "function grew" : "functions grew", g->max_growth);
    free(list);
    free(f.list);
    intern_free(&f.names);
}

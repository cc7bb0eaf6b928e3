#include "cmd/stackdiff/gate.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/foldedtext.h"

/* With fewer counts, one of them is more than a percentage point. */
static const double few = 100;

struct function {
    struct pair total; /* of the stacks that the function is in */
    size_t last_stack; /* the last one added to `total`: its number + 1; 0: none yet */
};

struct functions {
    struct intern names;
    struct function *list; /* by the name's number */
    size_t cap;
    size_t matches[2]; /* functions that the gate checks and the side has: before, after */
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
        if (function->last_stack == id + 1)
            continue; /* recursion: count the stack once */
        function->last_stack = id + 1;
        for (size_t side = 0; side < 2; side++)
            function->total.count[side] =
                p->dialect->numbers->add(function->total.count[side], p->pairs[id].count[side]);
    } while (stack.ptr != NULL);
}

static double
percent(const struct profiles *p, const struct function *f, size_t side)
{
    return 100 * p->dialect->numbers->real(f->total.count[side]) / profiles_total(p, side);
}

/* Fills `list` with the functions that grew too much and returns how many; sets f->matches. */
static size_t
find_growth(const struct gate *g, const struct profiles *p, struct functions *f,
            struct growth *list)
{
    /* So that 0.3 - 0.1 is not above 0.2: more than the error of a double, less than is printed. */
    const double tolerance = 1e-9;
    size_t n = 0;
    for (size_t i = 0; i < f->names.count; i++) {
        struct span name = intern_text(&f->names, (uint32_t)i);
        if (g->function != NULL && !pattern_matches(g->function, name))
            continue;
        double before = percent(p, &f->list[i], 0), after = percent(p, &f->list[i], 1);
        f->matches[0] += before > 0;
        f->matches[1] += after > 0;
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

/* The name comes last, so that a long one costs no number when the message is cut. */
static void
report_growth(const struct gate *g, struct growth *list, size_t n, struct diag *diag)
{
    char digits[NUM_COMMAS];
    if (n > 0)
        qsort(list, n, sizeof *list, larger_first);
    for (size_t i = 0; i < n; i++)
        diag_error(diag, NOWHERE, "grew by %.2f points, from %.2f %% to %.2f %%: %.*s",
                   list[i].after - list[i].before, list[i].before, list[i].after,
                   SPAN_ARG(list[i].name));
    if (n > 0)
        diag_error(diag, NOWHERE, "%.*s %s by more than --max-growth=%s allows",
                   SPAN_ARG(num_commas(digits, n)), n == 1 ? "function grew" : "functions grew",
                   g->limit);
}

/* A misspelt or outdated --function would let everything pass. */
static void
report_matches(const struct gate *g, const struct profiles *p, const struct functions *f,
               struct diag *diag)
{
    if (f->matches[0] + f->matches[1] == 0)
        diag_error(diag, NOWHERE, "no function in either profile matches --function='%s'",
                   g->expression);
    else if (f->matches[1] == 0)
        diag_warn(diag, NULL, (struct place){p->names[1], 0},
                  "no function matches --function='%s': was it renamed?", g->expression);
}

static void
report_few(const struct profiles *p, struct diag *diag)
{
    char text[NUMBER_TEXT];
    for (size_t side = 0; side < 2; side++)
        if (profiles_total(p, side) < few) {
            struct span total = p->dialect->numbers->text(text, p->total.count[side]);
            diag_warn(diag, NULL, (struct place){p->names[side], 0},
                      "only %.*s count%s in total: too few to mean much", SPAN_ARG(total),
                      span_eq(total, SPAN("1")) ? "" : "s");
        }
}

void
gate_check(const struct gate *g, const struct profiles *p, struct diag *diag)
{
    if (profiles_total(p, 0) <= 0 || profiles_total(p, 1) <= 0) {
        diag_error(diag, NOWHERE, "a profile without samples has no shares to compare");
        return;
    }
    report_few(p, diag);
    struct functions f = {0};
    for (size_t id = 0; id < p->stacks.count; id++)
        count_stack(&f, p, id);
    struct growth *list = mem_alloc(f.names.count * sizeof *list);
    size_t n = find_growth(g, p, &f, list);
    if (g->function != NULL)
        report_matches(g, p, &f, diag);
    report_growth(g, list, n, diag);
    free(list);
    free(f.list);
    intern_free(&f.names);
}

#include "cmd/stackdiff/compare.h"

#include <stdlib.h>

#include "common/stack/text/foldedtext.h"

/* The probability that a comparison is wrong about any of its functions. */
static const double wrong = 0.01;

static double
larger(double a, double b)
{
    return a > b ? a : b;
}

static double
run_total(const struct profiles *p, size_t run)
{
    return p->dialect->arithmetic->real(p->runs[run].total);
}

struct changed_function {
    size_t last_stack; /* 1 + number of the last stack that was counted; 0: none yet */
    /* Of the stacks with the function, those whose shares grew and shrank most, and by how many
     * percentage points. */
    uint32_t grown, shrunk;
    double growth, loss;
};

/* The functions. A function's count in a run is the sum of the counts of all stacks that contain
 * it. */
struct functions {
    struct intern *names;
    struct changed_function *list; /* for each number of a name */
    size_t cap;
    double *counts; /* [number of the name * runs + run] */
    size_t counts_cap;
};

/* Return the number of the function with this name. */
static uint32_t
add_name(struct functions *f, struct span name, size_t nruns)
{
    uint32_t i;
    bool is_new = intern_put(f->names, name, &i);
    f->list = mem_grow(f->list, &f->cap, f->names->count, sizeof *f->list);
    f->counts = mem_grow(f->counts, &f->counts_cap, f->names->count * nruns, sizeof *f->counts);
    if (is_new) {
        f->list[i] = (struct changed_function){0};
        for (size_t run = 0; run < nruns; run++)
            f->counts[i * nruns + run] = 0;
    }
    return i;
}

static void
add_growth(struct changed_function *function, uint32_t stack, double growth)
{
    if (growth > function->growth) {
        function->growth = growth;
        function->grown = stack;
    }
    if (-growth > function->loss) {
        function->loss = -growth;
        function->shrunk = stack;
    }
}

/* Add a stack's counts to a function in it, once per stack. */
static void
count_function(struct functions *f, const struct profiles *p, struct span name, uint32_t stack,
               double growth)
{
    uint32_t i = add_name(f, name, p->nruns);
    if (f->list[i].last_stack == (size_t)stack + 1)
        return; /* recursion: the stack was counted already */
    f->list[i].last_stack = (size_t)stack + 1;
    add_growth(&f->list[i], stack, growth);
    for (size_t run = 0; run < p->nruns; run++)
        f->counts[i * p->nruns + run] +=
            p->dialect->arithmetic->real(profiles_count(p, stack, run));
}

/* Return the part of a stack from the garbage collector's frame on; the whole stack if it has
 * none. */
static struct span
from_collector(struct span stack)
{
    struct span rest = stack;
    do {
        struct span part = rest;
        if (span_eq(folded_frame(&rest), SPAN("(garbage collector)")))
            return part;
    } while (rest.ptr != NULL);
    return stack;
}

/* Add a stack's counts to the functions in it. */
static void
count_stack(struct functions *f, const struct profiles *p, uint32_t stack)
{
    struct span all = intern_text(&p->stacks, stack), frames = from_collector(all);
    double growth = profiles_growth(p, stack);
    count_function(f, p, folded_frame(&all), stack, growth);
    do
        count_function(f, p, folded_frame(&frames), stack, growth);
    while (frames.ptr != NULL);
}

/* Return Pearson's estimate of the dispersion of a function, from its counts in the runs and its
 * shares, 0 to 1, of both sides; 0 if neither side has several runs. */
static double
dispersion(const struct profiles *p, const double *counts, const double share[SIDES])
{
    double sum = 0;
    for (size_t run = 0; run < p->nruns; run++) {
        double total = run_total(p, run), mean = share[p->runs[run].side];
        double apart = counts[run] - total * mean, variance = total * mean * (1 - mean);
        if (variance > 0)
            sum += apart * apart / variance;
    }
    return p->nruns > SIDES ? sum / (double)(p->nruns - SIDES) : 0;
}

/* Fill list[i] for function i, except for the error. Return the function's dispersion. */
static double
fill_change(struct comparison *c, const struct functions *functions, size_t i)
{
    const struct profiles *p = c->profiles;
    const struct changed_function *f = &functions->list[i];
    const double *counts = functions->counts + i * p->nruns;
    struct change *change = &c->list[i];
    double share[SIDES];
    *change = (struct change){.name = intern_text(&c->names, (uint32_t)i)};
    for (size_t run = 0; run < p->nruns; run++)
        change->count[p->runs[run].side] += counts[run];
    for (enum side side = BEFORE; side < SIDES; side++) {
        share[side] = change->count[side] / profiles_total(p, side);
        change->share[side] = 100 * share[side];
    }
    change->growth = change->share[AFTER] - change->share[BEFORE];
    change->stack = change->growth < 0 ? f->shrunk : f->grown;
    return dispersion(p, counts, share);
}

static int
smaller_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Return the median of the dispersions. The mean would depend on the few functions that vary most,
 * often the start of the program and everything outside of it. */
static double
median(const double *dispersions, size_t n)
{
    double *sorted = mem_alloc(n * sizeof *sorted);
    memcpy(sorted, dispersions, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, smaller_first);
    double middle = sorted[n / 2];
    free(sorted);
    return middle;
}

static void
set_error(struct change *change, const struct profiles *p, double of, double least)
{
    double variance = 0;
    for (enum side side = BEFORE; side < SIDES; side++)
        variance += stats_share_variance(change->count[side], profiles_total(p, side), of);
    change->error = 100 * stats_root(variance);
    change->freedom = stats_freedom(p->nruns, of, least);
}

static int
larger_first(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    return x->growth != y->growth ? (x->growth < y->growth) - (x->growth > y->growth)
                                  : span_cmp(x->name, y->name);
}

static void
keep_matches(struct comparison *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->n; i++)
        if (pattern_matches(c->function, c->list[i].name))
            c->list[kept++] = c->list[i];
    c->n = kept;
}

void
compare_functions(struct comparison *c)
{
    const struct profiles *p = c->profiles;
    struct functions functions = {.names = &c->names};
    double least = stats_dispersion * c->period;
    uint32_t stack = 0; /* there is one, since both sides have counts */
    do
        count_stack(&functions, p, stack);
    while (++stack < p->stacks.count);
    intern_forget(&c->names);
    c->n = c->names.count;
    c->list = mem_alloc(c->n * sizeof *c->list);
    double *dispersions = mem_alloc(c->n * sizeof *dispersions);
    for (size_t i = 0; i < c->n; i++)
        dispersions[i] = fill_change(c, &functions, i);
    free(functions.list);
    free(functions.counts);
    least = larger(least, median(dispersions, c->n));
    for (size_t i = 0; i < c->n; i++)
        set_error(&c->list[i], p, larger(least, dispersions[i]), least);
    free(dispersions);
    if (c->function != NULL)
        keep_matches(c);
    if (c->n > 0)
        qsort(c->list, c->n, sizeof *c->list, larger_first);
}

size_t
compare_candidates(const struct comparison *c, double points)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += larger(c->list[i].share[BEFORE], c->list[i].share[AFTER]) > points;
    return n;
}

/* Return the number of questions tested together: whether each function grew, and whether it
 * shrank. */
static double
questions(size_t candidates)
{
    return 2 * larger((double)candidates, 1);
}

double
compare_margin(struct margins *m, const struct change *change)
{
    double *factor = &m->factor[change->freedom];
    if (*factor == 0)
        *factor = stats_quantile(wrong / questions(m->candidates), change->freedom);
    return *factor * change->error;
}

double
compare_certainty(const struct change *change, size_t candidates)
{
    double size = change->growth < 0 ? -change->growth : change->growth;
    double tail = stats_tail(size / change->error, change->freedom);
    return 100 * larger(0, 1 - questions(candidates) * tail);
}

void
compare_totals(const struct profiles *p, double period, double *growth, double *margin)
{
    struct stats_mean sides[SIDES];
    double of = 0, least = stats_dispersion * period;
    for (enum side side = BEFORE; side < SIDES; side++) {
        sides[side].runs = profiles_runs(p, side);
        sides[side].mean = profiles_total(p, side) / (double)sides[side].runs;
    }
    for (size_t run = 0; run < p->nruns && p->nruns > SIDES; run++) {
        double expected = sides[p->runs[run].side].mean, apart = run_total(p, run) - expected;
        of += apart * apart / expected / (double)(p->nruns - SIDES);
    }
    of = larger(of, least);
    for (enum side side = BEFORE; side < SIDES; side++)
        sides[side].variance = of * sides[side].mean / (double)sides[side].runs;
    stats_growth(&sides[BEFORE], &sides[AFTER], growth, margin);
    *margin *= stats_quantile(wrong / 2, stats_freedom(p->nruns, of, least));
}

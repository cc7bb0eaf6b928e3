#include "cmd/stackdiff/compare.h"

#include <stdlib.h>

#include "cmd/stackdiff/stats.h"

/* How often a comparison may be wrong about any of its functions. */
static const double wrong = 0.01;

static double
larger(double a, double b)
{
    return a > b ? a : b;
}

static double
run_total(const struct profiles *p, size_t run)
{
    return p->dialect->numbers->real(p->runs[run].total);
}

/* Pearson's estimate of the dispersion of a function, by its counts in the runs and its shares,
 * from 0 to 1, of both sides. 0 if no side has several runs. */
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

/* Fills list[i] for function i, except for the error, for which it returns the dispersion. */
static double
fill_change(struct comparison *c, size_t i)
{
    const struct profiles *p = c->profiles;
    const struct function *f = &c->functions.list[i];
    const double *counts = c->functions.counts + i * p->nruns;
    struct change *change = &c->list[i];
    double share[SIDES];
    *change = (struct change){.name = intern_text(&c->functions.names, (uint32_t)i)};
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

/* The median of the dispersions. The mean would be that of the few functions that vary most, often
 * the start of the program and all that is not in it. */
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
set_error(struct change *change, const struct profiles *p, double of)
{
    double variance = 0;
    for (enum side side = BEFORE; side < SIDES; side++)
        variance += stats_share_variance(change->count[side], profiles_total(p, side), of);
    change->error = 100 * stats_root(variance);
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
    double least = stats_dispersion * c->period;
    functions_count(&c->functions, p);
    c->n = c->functions.names.count;
    c->freedom = stats_freedom(p->nruns);
    c->list = mem_alloc(c->n * sizeof *c->list);
    double *dispersions = mem_alloc(c->n * sizeof *dispersions);
    for (size_t i = 0; i < c->n; i++)
        dispersions[i] = fill_change(c, i);
    least = larger(least, median(dispersions, c->n));
    for (size_t i = 0; i < c->n; i++)
        set_error(&c->list[i], p, larger(least, dispersions[i]));
    free(dispersions);
    functions_forget(&c->functions); /* sorting takes memory, too */
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

double
compare_margin_factor(const struct comparison *c, size_t candidates)
{
    double tests = 2 * larger((double)candidates, 1); /* growth and loss */
    return stats_quantile(wrong / tests, c->freedom);
}

double
compare_certainty(const struct comparison *c, const struct change *change, size_t candidates)
{
    double size = change->growth < 0 ? -change->growth : change->growth;
    double tests = 2 * larger((double)candidates, 1);
    return 100 * larger(0, 1 - tests * stats_tail(size / change->error, c->freedom));
}

void
compare_totals(const struct profiles *p, double period, double *growth, double *margin)
{
    double mean[SIDES], runs[SIDES], of = 0;
    for (enum side side = BEFORE; side < SIDES; side++) {
        runs[side] = (double)profiles_runs(p, side);
        mean[side] = profiles_total(p, side) / runs[side];
    }
    for (size_t run = 0; run < p->nruns && p->nruns > SIDES; run++) {
        double expected = mean[p->runs[run].side], apart = run_total(p, run) - expected;
        of += apart * apart / expected / (double)(p->nruns - SIDES);
    }
    of = larger(of, stats_dispersion * period);
    double ratio = mean[AFTER] / mean[BEFORE];
    double variance = mean[AFTER] / runs[AFTER] + ratio * ratio * mean[BEFORE] / runs[BEFORE];
    *growth = 100 * (ratio - 1);
    *margin = 100 * stats_quantile(wrong / 2, stats_freedom(p->nruns)) * stats_root(of * variance) /
              mean[BEFORE];
}

void
compare_free(struct comparison *c)
{
    functions_free(&c->functions);
    free(c->list);
}

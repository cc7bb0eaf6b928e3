/* The statistics of stackdiff. The probabilities of Student's t were computed apart from it, by
 * integrating its density with Simpson's rule. */
#include "tests/unit/test.h"

#include <math.h>

#include "cmd/stackdiff/compare.h"
#include "common/base/stats.h"

static bool
near(double a, double b, double error)
{
    return fabs(a - b) <= error * fabs(b);
}

TEST("square roots are those of libm, of small, large and whole numbers")
{
    CHECK(stats_root(0) == 0);
    CHECK(stats_root(144) == 12);
    for (int i = -40; i <= 40; i++)
        CHECK(near(stats_root(ldexp(1.37, i)), sqrt(ldexp(1.37, i)), 1e-15));
}

static const struct {
    double t;
    unsigned freedom;
    double probability;
} known[] = {
    {1, 2, 0.211324865405},         {4.302652729911275, 2, 0.025},   {2, 4, 0.0580582617584},
    {2.13184678632665, 4, 0.05},    {2.2281388519649385, 10, 0.025}, {2.845339709776, 20, 0.005},
    {3.550965760863, 40, 0.0005},   {5, 40, 5.92003283284e-06},      {6, 40, 2.36322733438e-07},
    {3.5, 1000, 0.000242887172954},
};

TEST("the tail of Student's t is the integral of its density")
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK(near(stats_tail(known[i].t, known[i].freedom), known[i].probability, 1e-7));
    CHECK(stats_tail(0, 2) == 0.5);
    CHECK(stats_tail(1e6, 40) >= 0);
    CHECK(stats_tail(1e6, 40) < 1e-12);
}

TEST("a quantile of Student's t is the t that has this tail")
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK(near(stats_quantile(known[i].probability, known[i].freedom), known[i].t, 1e-7));
    CHECK(stats_quantile(0.5, 10) < 1e-9);
}

TEST("the degrees of freedom are even, grow with the runs, and are bounded")
{
    CHECK(stats_freedom(2, 1.5, 1.5) == 40);
    CHECK(stats_freedom(3, 1.5, 1.5) == 40);
    CHECK(stats_freedom(6, 1.5, 1.5) == 44);
    CHECK(stats_freedom(100000, 1.5, 1.5) == 1000);
    CHECK(stats_freedom(100000, 15, 1.5) == 1000);
}

TEST("a dispersion far above the least one is known from the spread of the runs alone")
{
    CHECK(stats_freedom(6, 3, 1.5) == 14);
    CHECK(stats_freedom(6, 1500, 1.5) == 4);
    CHECK(stats_freedom(3, 1500, 1.5) == 2);
}

TEST("a share's variance is p (1 - p) / n of the independent samples, and never 0")
{
    CHECK(near(stats_share_variance(250000, 1000000, 1), 0.25 * 0.75 / 1e6, 1e-4));
    CHECK(near(stats_share_variance(250000, 1000000, 10), 0.25 * 0.75 / 1e5, 1e-3));
    CHECK(stats_share_variance(0, 100, 1) > 0);
    CHECK(near(stats_share_variance(0, 100, 1), stats_share_variance(100, 100, 1), 1e-12));
}

/* Profiles of FUNCTIONS functions, each of one frame, with random counts. */
enum { FUNCTIONS = 40, RUNS_MAX = 12 };

struct random_profiles {
    struct profiles p;
    struct run runs[RUNS_MAX];
};

static const struct diff_dialect dialect = {.program = "test", .arithmetic = &arithmetic_exact};

/* From 0 to 1, the same in every run: Knuth's MMIX generator. */
static double
next_random(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 32) / 4294967296.0;
}

static void
add_sample(struct random_profiles *r, size_t run, size_t function, uint64_t count)
{
    r->p.counts[function * r->p.nruns + run].exact.whole += count;
    r->runs[run].total.exact.whole += count;
}

/* `k` runs of each side with `n` samples each. Function i has a share of the samples like 1 / (i +
 * 2). Samples come `burst` at a time, each counts `period`, and after there are more of function 3:
 * `factor` times as many. */
static void
make_profiles(struct random_profiles *r, size_t k, size_t n, size_t burst, uint64_t period,
              double factor)
{
    *r = (struct random_profiles){.p = {.dialect = &dialect, .runs = r->runs, .nruns = 2 * k}};
    double weight[SIDES][FUNCTIONS], sum[SIDES] = {0, 0};
    for (size_t i = 0; i < FUNCTIONS; i++) {
        char name[8];
        snprintf(name, sizeof name, "f%zu", i);
        CHECK(intern_add(&r->p.stacks, span_cstr(name)) == i);
        for (size_t side = 0; side < SIDES; side++) {
            weight[side][i] = 1.0 / (double)(i + 2) * (side == AFTER && i == 3 ? factor : 1);
            sum[side] += weight[side][i];
        }
    }
    r->p.counts = calloc(FUNCTIONS * 2 * k, sizeof *r->p.counts);
    for (size_t run = 0; run < 2 * k; run++) {
        enum side side = r->runs[run].side = run < k ? BEFORE : AFTER;
        for (size_t sample = 0; sample < n; sample += burst) {
            double at = next_random() * sum[side];
            size_t i = 0;
            while (i + 1 < FUNCTIONS && (at -= weight[side][i]) >= 0)
                i++;
            add_sample(r, run, i, burst * period);
        }
    }
}

/* How many of 200 comparisons found growth of some function; *right counts those that found it of
 * function 3. */
static unsigned
count_found(size_t k, size_t n, size_t burst, uint64_t period, double factor, unsigned *right)
{
    unsigned found = 0;
    *right = 0;
    for (unsigned i = 0; i < 200; i++) {
        struct random_profiles r;
        make_profiles(&r, k, n, burst, period, factor);
        struct comparison c = {.profiles = &r.p, .period = 1};
        compare_functions(&c);
        struct margins margins = {.candidates = compare_candidates(&c, 0)};
        bool any = false;
        for (size_t f = 0; f < c.n; f++)
            if (c.list[f].growth > compare_margin(&margins, &c.list[f])) {
                any = true;
                *right += span_eq(c.list[f].name, SPAN("f3"));
            }
        found += any;
    }
    return found;
}

TEST("of 200 comparisons of equal programs at most 2 find growth, with one run a side and with 3")
{
    unsigned right;
    CHECK(count_found(1, 2000, 1, 1, 1, &right) <= 2);
    CHECK(count_found(3, 1000, 1, 1, 1, &right) <= 2);
}

TEST("a function that takes twice the time is found, with one run a side and with 3")
{
    unsigned right;
    count_found(1, 4000, 1, 1, 2, &right);
    CHECK(right >= 198);
    count_found(3, 2000, 1, 1, 2, &right);
    CHECK(right >= 198);
}

TEST(
    "samples that come in bursts find no growth of equal programs where the spread of 3 runs shows "
    "it")
{
    unsigned right;
    CHECK(count_found(1, 2000, 10, 1, 1, &right) > 100);
    CHECK(count_found(3, 2000, 10, 1, 1, &right) <= 4);
    CHECK(count_found(6, 2000, 10, 1, 1, &right) <= 2);
    count_found(6, 4000, 10, 1, 2, &right);
    CHECK(right >= 185);
}

TEST("with several runs it makes no difference whether counts are samples or periods")
{
    unsigned right;
    CHECK(count_found(3, 1000, 1, 10101010, 1, &right) <= 4);
    count_found(3, 2000, 1, 10101010, 2, &right);
    CHECK(right >= 190);
}

TEST("growth, error and certainty of a function do not depend on the order of the runs")
{
    struct random_profiles r;
    double growth[2], error[2];
    make_profiles(&r, 3, 1000, 5, 1, 1.5);
    for (size_t i = 0; i < 2; i++) {
        struct comparison c = {.profiles = &r.p, .period = 1};
        compare_functions(&c);
        growth[i] = c.list[0].growth;
        error[i] = c.list[0].error;
        /* the first two runs, both before, change places */
        struct run run = r.runs[0];
        r.runs[0] = r.runs[1];
        r.runs[1] = run;
        for (size_t f = 0; f < FUNCTIONS; f++) {
            union number *counts = &r.p.counts[f * r.p.nruns], count = counts[0];
            counts[0] = counts[1];
            counts[1] = count;
        }
    }
    CHECK(near(growth[0], growth[1], 1e-12));
    CHECK(near(error[0], error[1], 1e-12));
}

TEST("a total's growth is that of the mean run, and its margin covers the spread between runs")
{
    struct run runs[] = {
        {.side = BEFORE, .total.exact.whole = 1000}, {.side = BEFORE, .total.exact.whole = 1200},
        {.side = AFTER, .total.exact.whole = 1540},  {.side = BEFORE, .total.exact.whole = 1090},
        {.side = AFTER, .total.exact.whole = 1560},  {.side = AFTER, .total.exact.whole = 1506},
    };
    struct profiles p = {.dialect = &dialect, .runs = runs, .nruns = 6};
    double growth, margin, wide;
    compare_totals(&p, 1, &growth, &margin);
    CHECK(near(growth, 40, 1e-12));
    CHECK(margin > 10 && margin < 60);
    runs[0].total.exact.whole = 200;
    runs[1].total.exact.whole = 2000;
    compare_totals(&p, 1, &growth, &wide);
    CHECK(near(growth, 40, 1e-12));
    CHECK(wide > 3 * margin);
}

TEST("the growth of a mean has the error and the degrees of freedom of Welch and Satterthwaite")
{
    const struct stats_mean before = {100, 4, 5}, after = {110, 9, 5}, same = {100, 0, 5};
    double growth, error;
    stats_growth(&before, &after, &growth, &error);
    CHECK(near(growth, 10, 1e-12));
    CHECK(near(error, 3.720215048, 1e-9));             /* sqrt(9 + 1.1^2 * 4) */
    CHECK(stats_growth_freedom(&before, &after) == 6); /* 7.3, rounded down to an even number */
    stats_growth(&same, &same, &growth, &error);
    CHECK(growth == 0);
    CHECK(error == 0);
    CHECK(stats_growth_freedom(&same, &same) == STATS_MAX_FREEDOM);
}

/* Compares the shares of all functions before and after, and computes how certain a change is. */
#ifndef STACKDIFF_COMPARE_H
#define STACKDIFF_COMPARE_H

#include "cmd/stackdiff/profiles.h"
#include "common/base/stats.h"
#include "common/base/pattern.h"

/* A function's change. Its count is the sum of the counts of all stacks that contain it. But stacks
 * with a garbage collector count only for the collector, its callees, and the first frame, usually
 * the command: the collector runs in whichever function allocates when memory is full, which
 * differs from run to run. Shares are percentages of a side's total, changes are percentage points.
 */
struct change {
    struct span name;
    double count[SIDES];
    double share[SIDES];
    double growth; /* share[AFTER] - share[BEFORE] */
    double error;  /* standard error of the growth, with `freedom` degrees of freedom */
    unsigned freedom;
    size_t stack; /* the stack with the function that changed most in the same direction */
};

/* Starts as {.profiles, .function, .period}; the first two are borrowed. */
struct comparison {
    const struct profiles *profiles;
    const struct pattern *function; /* compare only functions that match; NULL: all */
    double period;                  /* what one sample counts */
    struct change *list;            /* the largest growth first */
    size_t n;

    /* private from here */
    struct intern names;
};

/* The margins of error of changes, where `candidates` functions are compared at once. Starts as
 * {.candidates}. */
struct margins {
    size_t candidates;

    /* private from here */
    double factor[STATS_MAX_FREEDOM + 1]; /* by degrees of freedom; 0: not known yet */
};

/* Compare the functions. Both sides must have counts. */
void compare_functions(struct comparison *c);

/* Return the number of functions whose shares are large enough to change by more than `points`
 * percentage points. */
size_t compare_candidates(const struct comparison *c, double points);

/* Return a change's margin of error in percentage points: in one comparison of 100, the growth of
 * some function differs from its true growth by more than that. */
double compare_margin(struct margins *m, const struct change *change);

/* Return how certain a change is, from 0 to 100: the percentage of comparisons of `candidates`
 * functions in which none of them has such a change by chance. */
double compare_certainty(const struct change *change, size_t candidates);

/* Set *growth to the growth of the mean total of a side's runs, in percent of that before, and
 * *margin to its margin of error in one of 100 comparisons. */
void compare_totals(const struct profiles *p, double period, double *growth, double *margin);

#endif

/* Compares the shares of all functions, before and after, and says how certain a change is. */
#ifndef STACKDIFF_COMPARE_H
#define STACKDIFF_COMPARE_H

#include "cmd/stackdiff/profiles.h"
#include "common/base/pattern.h"

/* A function's change. Shares are percentages of a side's total, changes are percentage points. */
struct change {
    struct span name;
    double count[SIDES];
    double share[SIDES];
    double growth; /* share[AFTER] - share[BEFORE] */
    double error;  /* standard error of the growth */
    size_t stack;  /* of its stacks the one that changed most in the same direction */
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
    unsigned freedom;
};

/* Compare the functions. Both sides must have counts. */
void compare_functions(struct comparison *c);

/* Return how many functions could have changed by more than that number of points, by their
 * shares. */
size_t compare_candidates(const struct comparison *c, double points);

/* Return the factor that makes a change's standard error its margin of error, where `candidates`
 * functions are compared at once: in one of 100 comparisons growth and true growth of some function
 * are further apart than that. */
double compare_margin_factor(const struct comparison *c, size_t candidates);

/* Return the percentage, from 0 to 100, of comparisons of `candidates` functions in which chance
 * alone gives none of them such a change. */
double compare_certainty(const struct comparison *c, const struct change *change,
                         size_t candidates);

/* Set *growth to the growth of the mean total of a side's runs, in percent of that before, and
 * *margin to its margin of error in one of 100 comparisons. */
void compare_totals(const struct profiles *p, double period, double *growth, double *margin);

#endif

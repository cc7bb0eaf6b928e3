/* The counts of all runs, as means with their deviations, and how they are printed: as by perf
 * stat. */
#ifndef STACKSTAT_RESULTS_H
#define STACKSTAT_RESULTS_H

#include "cmd/stackstat/counting.h"
#include "common/base/out.h"

/* The mean of numbers that are added one by one. {0} has no numbers. */
struct mean {
    double n, mean, squares; /* squares: sum of squared distances from the mean */
};

void mean_add(struct mean *m, double value);

/* Return the standard error of the mean: absolute, and in percent of the mean. 0 for less than two
 * numbers. */
double mean_error(const struct mean *m);
double mean_deviation(const struct mean *m);

struct result {
    struct mean value, enabled, running;
};

struct results {
    const struct event *events;   /* borrowed */
    const enum absence *absences; /* for each event; borrowed */
    size_t count;                 /* number of events */
    enum places kind;
    size_t places;       /* number of places */
    struct span *names;  /* names of the places: "CPU0", "node-1234"; unused for ONE_PLACE */
    struct result *list; /* [event * places + place] */
    struct mean elapsed, user, system; /* seconds */
    bool has_times;                    /* a command was run, so `user` and `system` are known */
    size_t *bases; /* events that are denominators of ratios: clocks, cycles, branches, ... */
    size_t nbases;
};

/* Return true if the event counts time, which is printed in milliseconds. */
bool results_is_clock(const struct event *e);

/* Allocate the list for `count` events and `places`, or empty it. */
void results_start(struct results *r);

/* How results are printed. */
struct style {
    const char *separator; /* between columns; NULL: print a table */
    bool json;
    const char *title; /* title of the table: "'make -j2'" */
};

/* Print the column titles of a table of intervals. */
void results_print_heads(const struct results *r, struct out *out);

/* Print the counts of an interval that ended `time` seconds after the start. */
void results_print_interval(const struct results *r, const struct style *s, double time,
                            struct out *out);

/* Print the counts at the end, and in a table also the title and the times. */
void results_print(const struct results *r, const struct style *s, struct out *out);

void results_free(struct results *r);

#endif

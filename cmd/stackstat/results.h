/* What the runs counted, as means with their deviation, and how it is printed: as perf stat does. */
#ifndef STACKSTAT_RESULTS_H
#define STACKSTAT_RESULTS_H

#include "cmd/stackstat/counting.h"
#include "common/base/out.h"

/* The mean of numbers that are added one by one. {0} has none. */
struct mean {
    double n, mean, squares; /* the sum of squared distances from the mean */
};

void mean_add(struct mean *m, double value);

/* Return the standard deviation of the mean, and that in percent of it; 0 for one number. */
double mean_error(const struct mean *m);
double mean_deviation(const struct mean *m);

struct result {
    struct mean value, enabled, running;
};

struct results {
    const struct event *events;   /* borrowed, as the next */
    const enum absence *absences; /* of each event */
    size_t count;                 /* of events */
    enum places kind;
    size_t places;
    struct span *names;  /* of each place: "CPU0", or "node-1234"; not for ONE_PLACE */
    struct result *list; /* [event * places + place] */
    struct mean elapsed, user, system; /* seconds */
    bool has_times;                    /* `user` and `system` are a command's */
    size_t *bases; /* events to which ratios of others refer: clocks, cycles, branches, ... */
    size_t nbases;
};

/* Return true if the event counts time: that is printed in milliseconds. */
bool results_is_clock(const struct event *e);

/* Forget what was counted, and make room for it. */
void results_start(struct results *r);

/* How results are printed. */
struct style {
    const char *separator; /* NULL: a table */
    bool json;
    const char *title; /* of the table: "'make -j2'" */
};

/* Print the heads of the columns of intervals in a table. */
void results_print_heads(const struct results *r, struct out *out);

/* Print the counts of an interval, which ended that many seconds after the start. */
void results_print_interval(const struct results *r, const struct style *s, double time,
                            struct out *out);

/* Print the counts at the end, and in a table also the title and the times. */
void results_print(const struct results *r, const struct style *s, struct out *out);

void results_free(struct results *r);

#endif

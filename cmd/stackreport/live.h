/* --live: while samples are read from a pipe, repeatedly draws two tables, of the last seconds and
 * of all samples so far, or one flame graph of all samples so far. */
#ifndef STACKREPORT_LIVE_H
#define STACKREPORT_LIVE_H

#include "cmd/stackreport/flame.h"

struct live {
    double seconds; /* interval of drawing; above 0 */
    enum row_order sort;
    size_t top;    /* maximum number of rows of a table; 0: what fits the terminal */
    size_t width;  /* columns of the terminal; 0: do not cut names */
    size_t height; /* lines of the terminal; 0: the output is no terminal */
    const struct flame_look *flame; /* of the flame graph; borrowed; NULL: draw tables */
    struct counter *all;            /* counts of all samples; borrowed */
    struct counter recent;          /* counts of the samples since the last drawing */
    uint64_t drawn; /* time of the last drawing (clock_now), at first of live_start */
};

/* Start drawing. The caller has set the members up to `all`, and counts samples in `all` and,
 * unless a flame graph is drawn, also in `recent`, which this sets up. */
void live_start(struct live *l);

/* Draw the tables or the flame graph on standard output; on a terminal, in place of the last
 * drawing. Empty `recent`. */
void live_draw(struct live *l);

/* Wait until fd can be read, and draw whenever the interval is over. This is a before_read of
 * struct lines; `live` is a struct live. */
void live_wait(void *live, int fd);

void live_free(struct live *l);

#endif

/* --live: while a pipe is read, draws the table of the last seconds and that of all samples, or the
 * flame graph of all samples, again and again. */
#ifndef STACKREPORT_LIVE_H
#define STACKREPORT_LIVE_H

#include "cmd/stackreport/flame.h"

struct live {
    double seconds; /* between two drawings; above 0 */
    enum row_order sort;
    size_t top;                     /* rows of a table; 0: as many as fit the terminal */
    size_t width;                   /* of the terminal; 0: names are not cut */
    size_t height;                  /* of the terminal; 0: the output is none */
    const struct flame_look *flame; /* borrowed; NULL: tables */
    struct counter *all;            /* of all samples; borrowed */
    struct counter recent;          /* of those since the last drawing */
    uint64_t drawn;                 /* when; at first, when reading began */
};

/* Start drawing. The fields down to `all` are set. Sets up `recent`, in which the caller counts the
 * samples, too, unless a flame graph is drawn. */
void live_start(struct live *l);

/* Draw what is wanted on standard output, on a terminal in place of those before, and empty
 * `recent`. */
void live_draw(struct live *l);

/* Wait until there is something to read, and draw when it is time: a before_read of struct lines,
 * whose ctx is a struct live. */
void live_wait(void *live, int fd);

void live_free(struct live *l);

#endif

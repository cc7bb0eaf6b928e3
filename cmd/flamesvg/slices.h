/* What was seen in each slice of time (common/stack/model/slice.h), beside the frames, in which all
 * slices are merged; and what was seen in the turns of event loops that took long.
 *
 * Counts are kept by cells. A cell is a slice; of a recording with too many counts it is several,
 * as few as leave SLICES_MOST counts, so that the page of a day is not much larger than that of an
 * hour. */
#ifndef FLAMESVG_SLICES_H
#define FLAMESVG_SLICES_H

#include "common/base/intern.h"
#include "common/stack/model/slice.h"

/* A page takes a byte or two for each: see tests/bench/RESULTS.md. */
enum { SLICES_MOST = 2500 * 1000 };

/* What a stack counts in a slice. */
struct slice_count {
    uint32_t time;  /* the slice's number in `times`; at the end an index of `cells` */
    uint32_t stack; /* the stack's number in `stacks`; at the end its frame */
    double count;
};

/* What a stack counts in a turn. */
struct turn_count {
    struct slice turn;
    uint32_t stack; /* as in slice_count */
    double count;
};

/* {0} is empty. */
struct slices {
    struct intern stacks, times; /* times are milliseconds, as uint64_t */
    double *sums;                /* of the counts of each stack that are whole */
    size_t sums_cap;
    struct slice_count *list;
    size_t n, cap;
    struct turn_count *turns;
    size_t nturns, turns_cap;
    uint64_t slice; /* the length of a slice in milliseconds, and that of a cell; set at the end */
    uint64_t cell;
    uint64_t *cells; /* when each cell begins in which something was seen, divided by `cell` */
    size_t ncells;
};

/* Add a stack's count in a slice or a turn; the text is copied. */
void slices_add(struct slices *s, const struct slice *slice, struct span stack, double count);

/* Return true if nothing was added. */
bool slices_are_none(const struct slices *s);

/* Replace stacks by the frames that they end in, frames[stack], below nframes. Sort the list by
 * frame and cell, each pair once, with at most SLICES_MOST elements unless one cell is left; and
 * turns by when they began, and by frame. Counts of turns are added, in shares, to the slices that
 * these took. */
void slices_finish(struct slices *s, const uint32_t *frames, size_t nframes);

/* Return how many of a sorted list of turns' counts are of the same turn as its first element. */
size_t slices_of_first(const struct turn_count *list, size_t n);

#endif

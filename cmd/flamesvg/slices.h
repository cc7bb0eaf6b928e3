/* The counts of stacks in each slice of time (common/stack/model/slice.h), and in long turns of
 * event loops; struct frames has only their sums over all slices.
 *
 * Counts are kept in cells. A cell is one slice, or several if there would be more than SLICES_MAX
 * counts otherwise: as few as possible. So the page of a day is not much larger than that of an
 * hour. */
#ifndef FLAMESVG_SLICES_H
#define FLAMESVG_SLICES_H

#include "common/base/intern.h"
#include "common/stack/model/slice.h"

/* Maximum number of counts. Each takes a byte or two of a page: see tests/bench/RESULTS.md. */
enum { SLICES_MAX = 2500 * 1000 };

/* The count of a stack in a slice. */
struct slice_count {
    uint32_t time;  /* number of the slice in `times`; once finished, index in `cells` */
    uint32_t stack; /* number of the stack in `stacks`; once finished, its frame */
    double count;
};

/* The count of a stack in a turn. */
struct turn_count {
    struct slice turn;
    uint32_t stack; /* as in slice_count */
    double count;
};

/* {0} is empty. */
struct slices {
    struct intern stacks, times; /* times are milliseconds, as uint64_t */
    double *sums;                /* sum of the whole counts of each stack */
    size_t sums_cap;
    struct slice_count *list;
    size_t n, cap;
    struct turn_count *turns;
    size_t nturns, turns_cap;
    uint64_t slice;  /* length of a slice in milliseconds; set by slices_finish */
    uint64_t cell;   /* length of a cell in milliseconds; set by slices_finish */
    uint64_t *cells; /* start of each cell with a count, divided by `cell` */
    size_t ncells;
};

/* Add a stack's count in a slice or a turn; the text is copied. */
void slices_add(struct slices *s, const struct slice *slice, struct span stack, double count);

/* Return true if nothing was added. */
bool slices_are_none(const struct slices *s);

/* Replace each stack by the frame in which it ends, frames[stack], which is below nframes. Add the
 * counts of turns, in shares, to the slices in which the turns lay. Sort and merge the list by
 * frame and cell, so that it has at most SLICES_MAX elements, unless only one cell is left. Sort
 * turns by their beginning and by frame. */
void slices_finish(struct slices *s, const uint32_t *frames, size_t nframes);

/* Return how many elements at the start of a sorted list are of the same turn as the first one. */
size_t slices_of_first(const struct turn_count *list, size_t n);

#endif

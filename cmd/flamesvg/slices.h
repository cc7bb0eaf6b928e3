/* What was seen in each slice of time (common/stack/model/slice.h), beside the frames, in which all slices
 * are merged; and what was seen in the turns of event loops that took long. */
#ifndef FLAMESVG_SLICES_H
#define FLAMESVG_SLICES_H

#include "common/base/intern.h"
#include "common/stack/model/slice.h"

/* What a stack counts in a slice or a turn. */
struct slice_count {
    struct slice slice;
    double count;
    uint32_t stack; /* its number in `stacks` */
};

struct slice_list {
    struct slice_count *at;
    size_t n, cap;
};

/* {0} is empty. */
struct slices {
    struct intern stacks;
    struct slice_list list, turns;
};

/* Add a stack's count in a slice or a turn; the text is copied. */
void slices_add(struct slices *s, const struct slice *slice, struct span stack, double count);

/* Return true if nothing was added. */
bool slices_are_none(const struct slices *s);

/* Sort both lists by the slices or turns, and by the number of the stack. Add the
 * counts of turns, in shares, to the slices that these took. Return the length of a slice in
 * milliseconds, as far as the times of slices tell it: each is a multiple of the length. At least
 * 1. */
uint64_t slices_finish(struct slices *s);

/* Return how many of a sorted list are of the same slice or turn as its first element. */
size_t slices_of_first(const struct slice_count *list, size_t n);

void slices_free(struct slices *s);

#endif

/* What was seen in each slice of time (common/stack/model/slice.h), beside the frames, in which all slices
 * are merged. */
#ifndef FLAMESVG_SLICES_H
#define FLAMESVG_SLICES_H

#include "common/base/intern.h"

struct slice_count {
    uint64_t ms;    /* where the slice begins */
    uint32_t stack; /* its number in `stacks` */
    double count;
};

/* {0} is empty. */
struct slices {
    struct intern stacks;
    struct slice_count *list;
    size_t count, cap;
};

/* Add a stack's count in a slice; the text is copied. */
void slices_add(struct slices *s, uint64_t ms, struct span stack, double count);

/* Sort the list by time, and by the number of the stack. */
void slices_sort(struct slices *s);

/* Return the length of a slice in milliseconds, as far as the times of a sorted list tell it: each is a
 * multiple of the length. At least 1. */
uint64_t slices_length(const struct slices *s);

void slices_free(struct slices *s);

#endif

/* Sums by stack in double precision, as the scripts add them up that print stacks in the order in
 * which they first came. */
#ifndef STACKCOLLAPSE_FLOATSUM_H
#define STACKCOLLAPSE_FLOATSUM_H

#include "common/base/intern.h"

/* {0} is an empty one. Read stacks and sums by number, from 0 to stacks.count. */
struct floatsum {
    struct intern stacks; /* the texts */
    double *sums;
    size_t cap;
};

/* Adds the value to the sum of the stack, which is copied when it is new. */
void floatsum_add(struct floatsum *s, struct span stack, double value);

void floatsum_free(struct floatsum *s);

#endif

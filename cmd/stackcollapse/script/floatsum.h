/* Sums by stack in double precision, for the scripts that add up so and print stacks in the order
 * in which they first came. */
#ifndef STACKCOLLAPSE_FLOATSUM_H
#define STACKCOLLAPSE_FLOATSUM_H

#include "common/base/intern.h"
#include "common/base/out.h"
#include "common/base/vec.h"
#include "common/stack/model/stacktree.h"

/* {0} is an empty one. */
struct floatsum {
    struct intern names;
    struct stacktree tree; /* of these names */
    struct intern stacks;  /* those that have a sum: the bytes of their numbers in the tree */
    VEC(double) sums;
};

/* Return the number of the stack `parent`, STACKTREE_ROOT if it is empty, with one more name. To
 * the scripts a stack is a text, so a name with semicolons is several. */
uint32_t floatsum_child(struct floatsum *s, uint32_t parent, struct span name);

/* Add the value to the sum of the stack. */
void floatsum_add(struct floatsum *s, uint32_t stack, double value);

/* Print a line for each stack, with what print() writes for its sum, unless that is below the
 * least; -INFINITY: print all. */
void floatsum_write(const struct floatsum *s, struct out *out, double least,
                    void (*print)(struct out *out, double sum));

void floatsum_free(struct floatsum *s);

#endif

/* Sums of double precision for each stack, for scripts that add up such numbers and print stacks in
 * the order of their first occurrence. */
#ifndef STACKCOLLAPSE_FLOATSUM_H
#define STACKCOLLAPSE_FLOATSUM_H

#include "common/base/intern.h"
#include "common/base/out.h"
#include "common/base/vec.h"
#include "common/stack/model/stacktree.h"

/* {0} is empty. */
struct floatsum {
    struct intern names;
    struct stacktree tree; /* of numbers of names */
    struct intern stacks;  /* stacks with a sum: the bytes of their numbers in the tree */
    VEC(double) sums;      /* of each of them */
};

/* Return the number of the stack `parent` with one more name; STACKTREE_ROOT is the empty stack. To
 * the scripts a stack is a text, so a name with semicolons becomes several frames. */
uint32_t floatsum_child(struct floatsum *s, uint32_t parent, struct span name);

/* Add the value to the sum of the stack. */
void floatsum_add(struct floatsum *s, uint32_t stack, double value);

/* Print a line for each stack whose sum is at least `least`; print() writes the sum. With
 * -INFINITY, print all. */
void floatsum_write(const struct floatsum *s, struct out *out, double least,
                    void (*print)(struct out *out, double sum));

void floatsum_free(struct floatsum *s);

#endif

/* Stacks as a tree of calls, for formats that name a stack by its caller's, or go from one stack to
 * the next by a frame or two: a step to a called function is one lookup, however deep the stack is,
 * and what many stacks begin with is in memory once. */
#ifndef STACK_STACKTREE_H
#define STACK_STACKTREE_H

#include "common/base/decimal.h"
#include "common/base/hash.h"
#include "common/base/slots.h"

/* {0} is an empty one. Change it through the functions. */
struct stacktree {
    /* By number; the first is the root, the empty stack. A stack's number is higher than that of
     * the stack without its last frame. */
    struct stacktree_node *nodes;
    size_t n, cap;
    struct slots slots;  /* of the nodes but the root, by parent and name */
    struct hash_key key; /* of the hash table */
};

/* A stack: a frame added to another stack. */
struct stacktree_node {
    uint32_t parent; /* the stack without the frame */
    uint32_t name;   /* of the frame: whatever number the caller gives it */
    bool counted;
    struct decimal count;
};

/* The number of the empty stack. */
#define STACKTREE_ROOT 0u

/* Return the number of the stack `parent` with one more frame, which is added if it is new. More
 * than 2^32 - 2 stacks end the program as a lack of memory does. */
uint32_t stacktree_child(struct stacktree *t, uint32_t parent, uint32_t name);

/* Add to the count of a stack, which is not the empty one. One that was counted is in the output
 * even if its count is 0. */
static inline void
stacktree_count(struct stacktree *t, uint32_t node, struct decimal count)
{
    t->nodes[node].counted = true;
    t->nodes[node].count = decimal_add(t->nodes[node].count, count);
}

/* Multiply the counts of this stack, and of those that were added after it, by 10 to the power
 * `places`, as decimal_shift does. */
void stacktree_shift(struct stacktree *t, uint32_t from, int places);

void stacktree_free(struct stacktree *t);

#endif

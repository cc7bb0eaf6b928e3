/* Stacks as a tree of calls, for formats that identify a stack by its caller's, or in which
 * consecutive stacks differ by a frame or two. A step to a called function is one lookup, however
 * deep the stack is, and common beginnings of stacks are stored once. */
#ifndef STACK_STACKTREE_H
#define STACK_STACKTREE_H

#include "common/base/decimal.h"
#include "common/base/hash.h"
#include "common/base/slots.h"

/* {0} is empty. Only the functions change it. */
struct stacktree {
    /* By number; the first is the root, the empty stack. A stack has a higher number than its
     * caller's stack. */
    struct stacktree_node *nodes;
    size_t n, cap;
    /* All nodes by parent and name, but not the root and each node's newest child: most nodes have
     * one child, and need no slot. */
    struct slots slots;
    size_t nslots;       /* used */
    struct hash_key key; /* of the hash table */
};

/* A stack: a frame appended to another stack. */
struct stacktree_node {
    uint32_t parent; /* stack without the frame */
    uint32_t name;   /* of the frame: any number that the caller chose */
    uint32_t newest; /* the child that was added last; STACKTREE_ROOT if there is none */
    bool counted;
    struct decimal count;
};

/* The number of the empty stack. */
#define STACKTREE_ROOT 0u

/* Private: the same as stacktree_child for all children except the newest. */
uint32_t stacktree_look_up(struct stacktree *t, uint32_t parent, uint32_t name);

/* Return the number of the stack `parent` with one more frame; add it if it is new. More than 2^32
 * - 2 stacks end the program like a lack of memory. */
static inline uint32_t
stacktree_child(struct stacktree *t, uint32_t parent, uint32_t name)
{
    uint32_t newest = t->n > 0 ? t->nodes[parent].newest : STACKTREE_ROOT;
    bool found = newest != STACKTREE_ROOT && t->nodes[newest].name == name;
    return found ? newest : stacktree_look_up(t, parent, name);
}

/* Add to the count of a stack other than the empty one. A counted stack is in the output even if
 * its count is 0. */
static inline void
stacktree_count(struct stacktree *t, uint32_t node, struct decimal count)
{
    t->nodes[node].counted = true;
    t->nodes[node].count = decimal_add(t->nodes[node].count, count);
}

/* Multiply the counts of this stack and of all later ones by 10 to the power `places`, as
 * decimal_shift does. */
void stacktree_shift(struct stacktree *t, uint32_t from, int places);

void stacktree_free(struct stacktree *t);

#endif

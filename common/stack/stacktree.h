/* Stacks as a tree of calls, for formats that name a stack by its caller's, or go from one stack to
 * the next by a frame or two: a step to a called function is one lookup, however deep the stack is,
 * and what many stacks begin with is in memory once. */
#ifndef STACK_STACKTREE_H
#define STACK_STACKTREE_H

#include "common/base/decimal.h"
#include "common/base/hash.h"
#include "common/base/mem.h"

/* {0} is an empty one. Change it through the functions. */
struct stacktree {
    /* By number; the first is the root, the empty stack. A stack's number is higher than that of
     * the stack without its last frame. */
    struct stacktree_node *nodes;
    size_t n, cap;
    uint32_t at;     /* the stack that was looked up last */
    uint32_t *notes; /* by number */
    size_t notes_cap;
    uint32_t *slots; /* of a hash table: node numbers; 0: empty */
    size_t mask;
    struct hash_key key; /* of the hash table */
};

/* A stack: a frame added to another stack. */
struct stacktree_node {
    uint32_t parent; /* the stack without the frame */
    uint32_t name;   /* of the frame: whatever number the caller gives it */
    uint32_t next;   /* the stack looked up after this one the last time; 0: none */
    bool counted;
    struct decimal count;
};

/* The number of the empty stack. */
#define STACKTREE_ROOT 0u

/* stacktree_child for a stack that is not the one looked up here the last time; not to be called
 * directly. */
uint32_t stacktree_find(struct stacktree *t, uint32_t parent, uint32_t name);

/* The number of the stack `parent` with one more frame. More than 2^32 - 2 stacks end the program
 * as a lack of memory does. */
static inline uint32_t
stacktree_child(struct stacktree *t, uint32_t parent, uint32_t name)
{
    uint32_t next = t->n > 0 ? t->nodes[t->at].next : STACKTREE_ROOT;
    if (next == STACKTREE_ROOT || t->nodes[next].parent != parent || t->nodes[next].name != name)
        return stacktree_find(t, parent, name);
    return t->at = next;
}

/* Sets a stack's note, a number that says to the caller what led to the stack. It is set for each
 * stack that is looked up, or for none. */
static inline void
stacktree_set_note(struct stacktree *t, uint32_t node, uint32_t note)
{
    t->notes = mem_grow(t->notes, &t->notes_cap, (size_t)node + 1, sizeof *t->notes);
    t->notes[node] = note;
}

/* The note of the stack that was looked up after the last one the last time: a guess at what comes
 * next. `none` if there is no such stack. */
static inline uint32_t
stacktree_guess(const struct stacktree *t, uint32_t none)
{
    uint32_t next = t->n > 0 ? t->nodes[t->at].next : STACKTREE_ROOT;
    return next != STACKTREE_ROOT ? t->notes[next] : none;
}

/* Adds to the count of a stack, which is not the empty one. One that was counted is in the output
 * even if its count is 0. */
static inline void
stacktree_count(struct stacktree *t, uint32_t node, struct decimal count)
{
    t->nodes[node].counted = true;
    t->nodes[node].count = decimal_add(t->nodes[node].count, count);
}

/* Multiplies the counts of this stack, and of those that were added after it, by 10 to the power
 * `places`, as decimal_shift does. */
void stacktree_shift(struct stacktree *t, uint32_t from, int places);

void stacktree_free(struct stacktree *t);

#endif

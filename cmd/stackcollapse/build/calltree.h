/* What the formats of call trees have in common: each line is a function, with its level in the
 * tree and what was counted in the function itself. */
#ifndef STACKCOLLAPSE_CALLTREE_H
#define STACKCOLLAPSE_CALLTREE_H

#include "cmd/stackcollapse/build/lineformat.h"
#include "common/stack/stacktree.h"

/* The first member of each such format's state, all zero at first. */
struct calltree {
    struct lineformat base;
    struct stacktree stacks;
    uint32_t *path; /* the stacks of the last function's callers, and last of all its own */
    size_t depth, path_cap;
    size_t top; /* the level of the tree's roots */
    bool started;
    /* Of a script only: */
    struct intern names;
    uint32_t *levels; /* names by level; one stays until another of its level comes */
    size_t nlevels, levels_cap;
    bool over; /* the script has ended at a line that it does not know */
};

/* Puts a function of this level on the stack, after its caller: the last function that is one level
 * above it. False, with the line reported as skipped, if that is missing. */
bool calltree_enter(struct calltree *t, size_t level, struct span name);

/* Reports the line as skipped, whose function is of this level; what it calls will be skipped too.
 */
void calltree_skip(struct calltree *t, size_t level, const char *why);

/* Counts the stack that calltree_enter made, unless the count is 0. */
void calltree_count(struct calltree *t, struct decimal count);

/* Multiplies what was counted by 10 to the power `places`. */
void calltree_shift(struct calltree *t, int places);

/* Adds what was counted to the profile. The next line will be the first of another tree. */
void calltree_restart(struct calltree *t);

/* For a script: sets the name of this level. */
void calltree_set(struct calltree *t, size_t level, struct span name);

/* For a script: prints the names of the first n levels as a stack with its count, unsorted. A level
 * that was never set has an empty name. */
void calltree_print(struct calltree *t, size_t n, struct span count);

/* For a script: reports the error, and ends with the status of a Perl script that dies. What was
 * printed before counts. */
void calltree_die(struct calltree *t, const char *why);

/* Frees what is not in `base`. */
void calltree_free(struct calltree *t);

#endif

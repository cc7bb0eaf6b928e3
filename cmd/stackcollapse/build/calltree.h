/* What the formats of call trees have in common: each line is a function, with its level in the
 * tree and what was counted in the function itself. */
#ifndef STACKCOLLAPSE_CALLTREE_H
#define STACKCOLLAPSE_CALLTREE_H

#include "cmd/stackcollapse/build/lineformat.h"
#include "common/stack/stacktree.h"

/* A function that may call the one in the next line. */
struct calltree_function {
    size_t level;
    uint32_t stack; /* in the tree, with its callers */
};

/* The first member of each such format's state, all zero at first. */
struct calltree {
    struct lineformat base;
    struct stacktree stacks;
    struct calltree_function *path; /* of the last line: the function's callers, and itself */
    size_t depth, cap;
    size_t top; /* the level of the tree's roots */
    bool started;
};

/* Put a function of this level on the path. Its caller is the last function of a lower level,
 * however much lower. */
void calltree_nest(struct calltree *t, size_t level, struct span name);

/* Put a function of this level on the path. Its caller is the last function that is one level above
 * it. If that is missing, report the line as skipped and return false. */
bool calltree_enter(struct calltree *t, size_t level, struct span name);

/* Report the line as skipped, whose function is of this level; what it calls will be skipped too. */
void calltree_skip(struct calltree *t, size_t level, const char *why);

/* Count the function put on the path last, unless the count is 0. */
void calltree_count(struct calltree *t, struct decimal count);

/* Add what was counted, times 10 to the power `places`, to the profile. The next line will be the
 * first of another tree. */
void calltree_finish(struct calltree *t, int places);

/* Free what is not in `base`. */
void calltree_free(struct calltree *t);

#endif

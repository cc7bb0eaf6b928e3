/* What the formats of call trees have in common: each line is a function, with its level in the
 * tree and what was counted in the function itself, or in it and in what it calls. */
#ifndef STACKCOLLAPSE_CALLTREE_H
#define STACKCOLLAPSE_CALLTREE_H

#include "cmd/stackcollapse/build/csv.h"
#include "cmd/stackcollapse/build/reader.h"

/* A function that may call the one in the next line. */
struct calltree_function {
    size_t level;
    uint32_t stack; /* in the tree, with its callers */
    uint64_t total,
        below;  /* what was counted in it and what it calls; the second is known of that */
    bool waits; /* what is its own is left out */
};

/* The state of such a format, all zero at first. The reader's tree has the stacks. */
struct calltree {
    struct reader base;
    VEC(struct calltree_function) path; /* of the last line: the function's callers, and itself */
    size_t top;                         /* the level of the tree's roots */
    bool rooted;                        /* `top` is set */
    bool inverted;                      /* a function is called by those below it: calltree_total */
    int places;                         /* counts are times 10 to this power */
    size_t weight;                      /* the column that counts; SPAN_NONE: there is none */
    /* Of those that are comma-separated values: */
    struct csv csv;
    char delimiter; /* '\0': the line of the columns' names was not read */
    size_t named;   /* the column of the function, or of its module */
};

/* What the struct format of each has. */
#define CALLTREE_FORMAT .state_size = sizeof(struct calltree), .end = calltree_end

/* Put a function of this level on the path. Its caller is the last function of a lower level,
 * however much lower. */
void calltree_nest(struct calltree *t, size_t level, struct span name);

/* Put a function of this level on the path. Its caller is the last function that is one level above
 * it. If that is missing, report the line as skipped and return false. */
bool calltree_enter(struct calltree *t, size_t level, struct span name);

/* Report the line, whose function is of this level, as skipped; what it calls will be too. */
void calltree_skip(struct calltree *t, size_t level, const char *why);

/* Count the function put on the path last, unless the count is 0. */
void calltree_count(struct calltree *t, struct decimal count);

/* Set what was counted in the function put on the path last and in those that it calls. What the
 * lines of these do not account for is its own, and so many samples; in an inverted tree it is one
 * sample, and a line accounts for the one above it only if it is one level deeper. */
void calltree_total(struct calltree *t, uint64_t total);

/* Take the functions of this level and of those below it off the path. */
void calltree_leave(struct calltree *t, size_t level);

/* Add what was counted to the profile: a finish(). The next line will begin another tree. */
void calltree_finish(struct reader *f);

/* Free what is not in `base`: an end(). */
void calltree_end(struct reader *f);

#endif

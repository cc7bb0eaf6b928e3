/* Adds up stacks: self and total of each function, or of each node in a tree of callers or
 * callees. */
#ifndef STACKREPORT_COUNT_H
#define STACKREPORT_COUNT_H

#include "cmd/stackreport/group.h"
#include "common/base/decimal.h"
#include "common/base/pattern.h"
#include "common/stack/model/stacktree.h"

enum shape {
    SHAPE_TABLE,   /* a node for each group */
    SHAPE_CALLERS, /* trees: below a function who called it */
    SHAPE_CALLEES, /* trees: below a function what it called */
};

/* What is counted. Without trees a node's number is its group's. */
struct count_node {
    struct decimal self, total;
    uint32_t group;
    uint32_t first; /* of the nodes below it; INTERN_NONE: there is none */
    uint32_t next;  /* of those with the same parent */
};

/* A frame of a stack, and its node. */
struct count_step {
    uint32_t name, node;
};

/* Starts as {.shape, .function, .groups}. */
struct counter {
    enum shape shape;
    /* Whose trees are wanted; borrowed. NULL without trees, and for SHAPE_CALLEES from the root of
     * the stacks on. */
    const struct pattern *function;
    struct groups groups;
    struct decimal all; /* of all stacks */
    struct count_node *nodes;
    size_t nnodes;
    uint32_t first_root; /* of the nodes without a parent, if there are nodes */

    /* private from here */
    size_t nodes_cap;
    struct stacktree tree; /* of the nodes in trees: a node's number there is its own + 1 */
    struct group_state *states;
    size_t nstates, states_cap;
    uint64_t stacks;         /* added so far */
    struct count_step *path; /* the last stack of SHAPE_CALLEES, from its first node on */
    size_t npath, path_cap;
};

/* Add a stack of n frames, at least one: numbers of c->groups.names, root first. */
void counter_add(struct counter *c, const uint32_t *names, size_t n, struct decimal count);

/* Set the totals of SHAPE_CALLEES. Call this before the nodes are read. */
void counter_sum(struct counter *c);

void counter_free(struct counter *c);

#endif

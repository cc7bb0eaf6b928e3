/* Adds up the counts of stacks: self and total of each function, or of each node of trees of
 * callers or callees. */
#ifndef STACKREPORT_COUNT_H
#define STACKREPORT_COUNT_H

#include "cmd/stackreport/group.h"
#include "common/base/decimal.h"
#include "common/base/pattern.h"
#include "common/stack/model/stacktree.h"

enum shape {
    SHAPE_TABLE,   /* no trees: one node for each group */
    SHAPE_CALLERS, /* trees: the children of a function are its callers */
    SHAPE_CALLEES, /* trees: the children of a function are its callees */
};

/* A counted group or, in trees, a place of a group in a tree. Without trees a node's number is its
 * group's. */
struct count_node {
    struct decimal self, total;
    uint32_t group;
    uint32_t first; /* number of its first child; INTERN_NONE: none */
    uint32_t next;  /* number of its next sibling; INTERN_NONE: none */
};

/* A frame of a stack, and its node. */
struct count_step {
    uint32_t name, node;
};

/* Starts as {.shape, .function, .groups}. */
struct counter {
    enum shape shape;
    /* The functions that are roots of trees; borrowed. NULL without trees, and for SHAPE_CALLEES if
     * trees begin at the root of the stacks. */
    const struct pattern *function;
    struct groups groups;
    struct decimal all; /* sum of the counts of all stacks */
    struct count_node *nodes;
    size_t nnodes;
    uint32_t first_root; /* number of the first node without a parent; undefined without nodes */

    /* private from here */
    size_t nodes_cap;
    struct stacktree tree; /* of the nodes, for lookups; a node's number there is its own + 1 */
    struct group_state *states;
    size_t nstates, states_cap;
    uint64_t stacks;         /* number of stacks added so far */
    struct count_step *path; /* the last stack of SHAPE_CALLEES, from its first frame with a node */
    size_t npath, path_cap;
};

/* Add a stack of n frames, at least one: numbers of names in c->groups.names, root first. */
void counter_add(struct counter *c, const uint32_t *names, size_t n, struct decimal count);

/* Set the totals of a SHAPE_CALLEES counter; others have them already. Call this before reading
 * nodes. */
void counter_sum(struct counter *c);

void counter_free(struct counter *c);

#endif

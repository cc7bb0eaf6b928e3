/* A call tree in JSON whose nodes hold the nodes that they call, in a member "children". */
#ifndef STACKCOLLAPSE_JSONTREE_H
#define STACKCOLLAPSE_JSONTREE_H

#include "cmd/stackcollapse/build/jsonfile.h"

struct jsontree_node {
    uint32_t parent; /* its index; JSONTREE_NONE for the root. It is less than the node's own. */
    uint32_t name;   /* its number in the profile; "[unknown]" until it is set */
    uint32_t id;     /* whatever the format identifies nodes by; JSONTREE_NONE: nothing */
    uint64_t self;   /* what was counted in the function itself */
};

#define JSONTREE_NONE UINT32_MAX

/* The first member of each such format's state. */
struct jsontree {
    struct reader base;
    VEC(struct jsontree_node) nodes;
};

/* Read the next value, a node with all those below it, however deep they are nested. Call `member`
 * for each other member of a node, whose key was read; it reads the value. A value that is no
 * object is skipped. */
void jsontree_read(struct jsontree *t,
                   void (*member)(struct jsontree *t, struct jsontree_node *node));

/* Add the stacks of the nodes, and what was counted in each, to the profile, and free the nodes.
 * Each node in which something was counted is a sample. */
void jsontree_fold(struct jsontree *t);

#endif

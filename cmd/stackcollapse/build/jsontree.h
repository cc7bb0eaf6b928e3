/* A call tree in JSON whose nodes hold the nodes that they call, in a member "children". */
#ifndef STACKCOLLAPSE_JSONTREE_H
#define STACKCOLLAPSE_JSONTREE_H

#include "cmd/stackcollapse/build/jsonfile.h"

struct jsontree_node {
    uint32_t parent; /* its index; JSONTREE_NONE for the root. It is less than the node's own. */
    uint32_t name;   /* number of a name in the profile */
    uint32_t id;     /* whatever the format identifies nodes by; JSONTREE_NONE: nothing */
    uint64_t self;   /* what was counted in the function itself */
};

#define JSONTREE_NONE UINT32_MAX

/* {.unnamed = name} is an empty one. */
struct jsontree {
    uint32_t unnamed; /* the name that a node has until `member` sets it */
    VEC(struct jsontree_node) nodes;
};

/* Read the next value, a node with all those below it, however deep they are nested. Call `member`
 * for each other member of a node, whose key was read; it reads the value. A value that is no
 * object is skipped. */
void jsontree_read(struct jsontree *t, struct json *j,
                   void (*member)(void *ctx, struct jsontree_node *node), void *ctx);

/* Add the stacks of the nodes, and what was counted in each, to the profile, and empty it. Each
 * node in which something was counted is a sample. */
void jsontree_fold(struct jsontree *t, struct collapse *c);

#endif

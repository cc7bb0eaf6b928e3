#include "cmd/stackcollapse/build/jsontree.h"

#include <stdlib.h>

static uint32_t
add_node(struct jsontree *t, uint32_t parent)
{
    if (t->nodes.n >= JSONTREE_NONE)
        mem_exhausted();
    uint32_t unnamed = stackbuild_name(&t->base.stack, SPAN("[unknown]"));
    VEC_ADD(t->nodes, (struct jsontree_node){parent, unnamed, JSONTREE_NONE, 0});
    return (uint32_t)(t->nodes.n - 1);
}

void
jsontree_read(struct jsontree *t, void (*member)(struct jsontree *t, struct jsontree_node *node))
{
    struct json *j = &t->base.json;
    size_t outside = j->depth;
    if (!json_enter(j, JSON_OBJECT))
        return;
    uint32_t at = add_node(t, JSONTREE_NONE);
    while (json_next(j) != JSON_ERROR && j->depth > outside) {
        if (j->item == JSON_OBJECT)
            at = add_node(t, at);
        else if (j->item == JSON_OBJECT_END)
            at = t->nodes.at[at].parent;
        else if (json_is(j, SPAN("children")))
            json_enter(j, JSON_ARRAY); /* its elements come next */
        else if (j->item == JSON_KEY)
            member(t, &t->nodes.at[at]);
        else if (j->item == JSON_ARRAY)
            json_skip(j); /* an element of "children" that is no node */
    }
}

void
jsontree_fold(struct jsontree *t)
{
    struct stacktree *to = &t->base.c->profile.tree;
    uint32_t *stacks = mem_alloc(t->nodes.n * sizeof *stacks);
    for (size_t i = 0; i < t->nodes.n; i++) {
        const struct jsontree_node *node = &t->nodes.at[i];
        uint32_t caller = node->parent != JSONTREE_NONE ? stacks[node->parent] : STACKTREE_ROOT;
        stacks[i] = stacktree_child(to, caller, node->name);
        if (node->self > 0)
            stacktree_count(to, stacks[i], (struct decimal){node->self, 0});
        t->base.c->samples += node->self > 0;
    }
    free(stacks);
    free(t->nodes.at);
    t->nodes.at = NULL;
}

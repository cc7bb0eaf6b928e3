#include "cmd/stackreport/count.h"

#include <stdlib.h>

/* What is known of a group. */
struct group_state {
    bool on_path;
    bool matches; /* counter.function */
};

static struct group_state *
state_of(struct counter *c, uint32_t group)
{
    while (c->nstates <= group) {
        uint32_t next = (uint32_t)c->nstates++;
        c->states = mem_grow(c->states, &c->states_cap, c->nstates, sizeof *c->states);
        c->states[next] = (struct group_state){
            .matches =
                c->function != NULL && pattern_matches(c->function, group_text(&c->groups, next)),
        };
    }
    return &c->states[group];
}

/* The node of a group: below a parent in a tree, or as a root with INTERN_NONE. */
static struct node *
node_below(struct counter *c, uint32_t parent, uint32_t group)
{
    const uint32_t key[] = {parent, group};
    uint32_t number = c->shape == SHAPE_TABLE
                          ? group
                          : intern_add(&c->keys, span_of((const char *)key, sizeof key));
    if (number >= c->nnodes) {
        c->nodes = mem_grow(c->nodes, &c->nodes_cap, (size_t)number + 1, sizeof *c->nodes);
        for (; c->nnodes <= number; c->nnodes++)
            c->nodes[c->nnodes] =
                (struct node){.group = (uint32_t)c->nnodes, .parent = INTERN_NONE};
        c->nodes[number].group = group;
        c->nodes[number].parent = parent;
    }
    return &c->nodes[number];
}

static void
add_pair(struct pair *to, const struct pair *from)
{
    to->self = decimal_add(to->self, from->self);
    to->total = decimal_add(to->total, from->total);
}

/* Adds what a match has to its tree, from the function itself to the outermost caller. */
static void
add_callers(struct counter *c, size_t match)
{
    uint32_t parent = INTERN_NONE;
    for (size_t i = match + 1; i-- > 0;) {
        struct node *node = node_below(c, parent, c->path[i].group);
        add_pair(&node->count, &c->path[match].pending);
        parent = (uint32_t)(node - c->nodes);
    }
}

static void
push(struct counter *c, uint32_t name)
{
    c->path = mem_grow(c->path, &c->path_cap, c->depth + 1, sizeof *c->path);
    const struct path_frame *caller = c->depth > 0 ? &c->path[c->depth - 1] : NULL;
    uint32_t group = group_of(&c->groups, name);
    struct group_state *state = state_of(c, group);
    struct path_frame *f = &c->path[c->depth];
    *f = (struct path_frame){
        .name = name,
        .group = group,
        .match = caller != NULL ? caller->match : INTERN_NONE,
        .node = caller != NULL ? caller->node : INTERN_NONE,
        .outermost = !state->on_path,
    };
    state->on_path = true;
    if (f->match == INTERN_NONE && state->matches)
        f->match = (uint32_t)c->depth;
    if (c->shape == SHAPE_CALLEES && f->match != INTERN_NONE)
        f->node = (uint32_t)(node_below(c, f->node, group) - c->nodes);
    c->depth++;
}

static void
pop(struct counter *c)
{
    size_t at = c->depth - 1;
    struct path_frame *f = &c->path[at];
    if (c->shape == SHAPE_TABLE) {
        struct node *node = node_below(c, INTERN_NONE, f->group);
        if (f->outermost)
            node->count.total = decimal_add(node->count.total, f->pending.total);
        node->count.self = decimal_add(node->count.self, f->pending.self);
    } else if (c->shape == SHAPE_CALLERS && f->match == at) {
        add_callers(c, at);
    } else if (c->shape == SHAPE_CALLEES && f->node != INTERN_NONE) {
        add_pair(&c->nodes[f->node].count, &f->pending);
    }
    if (at > 0)
        c->path[at - 1].pending.total =
            decimal_add(c->path[at - 1].pending.total, f->pending.total);
    if (f->outermost)
        c->states[f->group].on_path = false;
    c->depth--;
}

/* The frame to which a stack's count is self time: its leaf; with SHAPE_CALLERS the function whose
 * callers are shown, if that is the leaf's. NULL: none. */
static struct path_frame *
self_frame(struct counter *c)
{
    struct path_frame *leaf = &c->path[c->depth - 1];
    if (c->shape != SHAPE_CALLERS)
        return leaf;
    if (leaf->match == INTERN_NONE)
        return NULL;
    struct path_frame *match = &c->path[leaf->match];
    return match->group == leaf->group ? match : NULL;
}

void
counter_add(struct counter *c, const uint32_t *names, size_t n, struct decimal count)
{
    size_t common = 0;
    while (common < c->depth && common < n && c->path[common].name == names[common])
        common++;
    while (c->depth > common)
        pop(c);
    while (c->depth < n)
        push(c, names[c->depth]);
    struct path_frame *leaf = &c->path[n - 1], *self = self_frame(c);
    leaf->pending.total = decimal_add(leaf->pending.total, count);
    if (self != NULL)
        self->pending.self = decimal_add(self->pending.self, count);
    c->all = decimal_add(c->all, count);
}

void
counter_settle(struct counter *c)
{
    while (c->depth > 0)
        pop(c);
}

void
counter_free(struct counter *c)
{
    group_free(&c->groups);
    intern_free(&c->keys);
    free(c->nodes);
    free(c->states);
    free(c->path);
}

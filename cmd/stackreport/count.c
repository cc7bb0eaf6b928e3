#include "cmd/stackreport/count.h"

#include <stdlib.h>

struct group_state {
    uint64_t last; /* number of the last stack with the group, from 1; 0: none yet */
    bool matches;  /* counter.function matches the group's name */
};

/* Add a node as the first child of its parent. */
static uint32_t
new_node(struct counter *c, uint32_t parent, uint32_t group)
{
    if (c->nnodes == INTERN_NONE - 1)
        mem_exhausted();
    uint32_t number = (uint32_t)c->nnodes++;
    uint32_t *first = parent != INTERN_NONE ? &c->nodes[parent].first : &c->first_root;
    uint32_t next = number > 0 ? *first : INTERN_NONE;
    *first = number;
    c->nodes = mem_grow(c->nodes, &c->nodes_cap, c->nnodes, sizeof *c->nodes);
    c->nodes[number] = (struct count_node){.group = group, .first = INTERN_NONE, .next = next};
    return number;
}

/* Add states up to that of a group, and without trees also nodes. Return the group's state. */
static struct group_state *
new_states(struct counter *c, uint32_t group)
{
    while (c->nstates <= group) {
        uint32_t next = (uint32_t)c->nstates++;
        c->states = mem_grow(c->states, &c->states_cap, c->nstates, sizeof *c->states);
        c->states[next] = (struct group_state){
            .matches =
                c->function != NULL && pattern_matches(c->function, group_text(&c->groups, next)),
        };
        if (c->shape == SHAPE_TABLE)
            new_node(c, INTERN_NONE, next);
    }
    return &c->states[group];
}

/* Inline as group_of: that saves 5 % of stackreport's instructions on node-http. */
static inline struct group_state *
state_of(struct counter *c, uint32_t group)
{
    return group < c->nstates ? &c->states[group] : new_states(c, group);
}

/* Return the node of a group below a parent or, with INTERN_NONE, of a root. */
static uint32_t
tree_node(struct counter *c, uint32_t parent, uint32_t group)
{
    uint32_t above = parent != INTERN_NONE ? parent + 1 : STACKTREE_ROOT;
    uint32_t number = stacktree_child(&c->tree, above, group) - 1;
    return number < c->nnodes ? number : new_node(c, parent, group);
}

static void
add(struct decimal *to, struct decimal count)
{
    *to = decimal_add(*to, count);
}

/* Add to the table. A stack counts once in the total of a function, however often the function
 * called itself. */
static void
add_to_table(struct counter *c, const uint32_t *names, size_t n, struct decimal count)
{
    uint32_t group = 0;
    c->stacks++;
    for (size_t i = 0; i < n; i++) {
        group = group_of(&c->groups, names[i]);
        struct group_state *state = state_of(c, group);
        if (state->last == c->stacks)
            continue;
        state->last = c->stacks;
        add(&c->nodes[group].total, count);
    }
    add(&c->nodes[group].self, count);
}

/* Add the frames from the first one that matches to the leaf. Add the count to the leaf's node
 * only; see counter_sum(). For the first frames that equal those of the last stack, no lookup in
 * the tree is needed. */
static void
add_callees(struct counter *c, const uint32_t *names, size_t n, struct decimal count)
{
    size_t i = 0, common = n < c->npath ? n : c->npath;
    while (i < common && c->path[i].name == names[i])
        i++;
    uint32_t node = i > 0 ? c->path[i - 1].node : INTERN_NONE;
    c->path = mem_grow(c->path, &c->path_cap, n, sizeof *c->path);
    for (; i < n; i++) {
        node = tree_node(c, node, group_of(&c->groups, names[i]));
        c->path[i] = (struct count_step){names[i], node};
    }
    c->npath = n;
    add(&c->nodes[node].self, count);
}

/* Add the last of n frames, which matches, and its callers up to the root. `self`: the function is
 * also the leaf of the stack. */
static void
add_callers(struct counter *c, const uint32_t *names, size_t n, bool self, struct decimal count)
{
    uint32_t node = INTERN_NONE;
    for (size_t i = n; i-- > 0;) {
        node = tree_node(c, node, group_of(&c->groups, names[i]));
        add(&c->nodes[node].total, count);
        if (self)
            add(&c->nodes[node].self, count);
    }
}

/* Add to the tree of the function that matches; if several do, of the one nearest the root. If no
 * function is wanted, the tree begins at the root. */
static void
add_to_tree(struct counter *c, const uint32_t *names, size_t n, struct decimal count)
{
    size_t i = 0;
    while (c->function != NULL && i < n && !state_of(c, group_of(&c->groups, names[i]))->matches)
        i++;
    if (i == n)
        return;
    bool self = group_of(&c->groups, names[i]) == group_of(&c->groups, names[n - 1]);
    if (c->shape == SHAPE_CALLEES)
        add_callees(c, names + i, n - i, count);
    else
        add_callers(c, names, i + 1, self, count);
}

void
counter_add(struct counter *c, const uint32_t *names, size_t n, struct decimal count)
{
    (c->shape == SHAPE_TABLE ? add_to_table : add_to_tree)(c, names, n, count);
    add(&c->all, count);
}

/* Go backwards: parents were made before their children. */
void
counter_sum(struct counter *c)
{
    if (c->shape != SHAPE_CALLEES)
        return;
    for (size_t i = 0; i < c->nnodes; i++)
        c->nodes[i].total = c->nodes[i].self;
    for (size_t i = c->nnodes; i-- > 0;) {
        uint32_t parent = c->tree.nodes[i + 1].parent;
        if (parent != STACKTREE_ROOT)
            add(&c->nodes[parent - 1].total, c->nodes[i].total);
    }
}

void
counter_free(struct counter *c)
{
    group_free(&c->groups);
    free(c->nodes);
    stacktree_free(&c->tree);
    free(c->states);
    free(c->path);
}

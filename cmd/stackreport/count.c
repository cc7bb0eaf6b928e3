#include "cmd/stackreport/count.h"

#include <stdlib.h>

#include "common/base/hash.h"

/* What is known of a group. */
struct group_state {
    bool on_path;
    bool matches; /* counter.function */
};

/* Appends a node, the first of those with its parent. */
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
    c->nodes[number] =
        (struct node){.group = group, .parent = parent, .first = INTERN_NONE, .next = next};
    return number;
}

/* Makes the states up to the group's, and without trees the nodes. */
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

static inline struct group_state *
state_of(struct counter *c, uint32_t group)
{
    return group < c->nstates ? &c->states[group] : new_states(c, group);
}

static uint32_t *
slot_of(struct counter *c, uint32_t parent, uint32_t group)
{
    size_t at = (size_t)hash_number((uint64_t)parent << 32 | group, c->key) & c->mask;
    for (; c->slots[at] != 0; at = (at + 1) & c->mask) {
        const struct node *n = &c->nodes[c->slots[at] - 1];
        if (n->parent == parent && n->group == group)
            break;
    }
    return &c->slots[at];
}

/* Makes the hash table larger, so that half of it and more is empty. */
static void
grow_slots(struct counter *c)
{
    size_t n = c->slots == NULL ? 1024 : 2 * (c->mask + 1);
    free(c->slots);
    c->slots = mem_alloc(n * sizeof *c->slots);
    memset(c->slots, 0, n * sizeof *c->slots);
    c->mask = n - 1;
    c->key = hash_key();
    for (size_t i = 0; i < c->nnodes; i++)
        *slot_of(c, c->nodes[i].parent, c->nodes[i].group) = (uint32_t)i + 1;
}

/* The node of a group in a tree, below a parent or, with INTERN_NONE, as a root. */
static uint32_t
tree_node(struct counter *c, uint32_t parent, uint32_t group)
{
    if (c->slots == NULL || 2 * c->nnodes > c->mask)
        grow_slots(c);
    uint32_t *slot = slot_of(c, parent, group);
    if (*slot == 0)
        *slot = new_node(c, parent, group) + 1;
    return *slot - 1;
}

/* Most counts have no fraction. */
static inline void
add(struct decimal *to, struct decimal count)
{
    uint64_t sum = to->whole + count.whole;
    if ((to->fraction | count.fraction) == 0 && sum >= count.whole)
        to->whole = sum;
    else
        *to = decimal_add(*to, count);
}

/* Adds what the match has to its tree, from the function itself to the outermost caller. */
static void
add_callers(struct counter *c)
{
    uint32_t node = INTERN_NONE;
    for (size_t i = c->match; i-- > 0;) {
        node = tree_node(c, node, c->path[i].group);
        add(&c->nodes[node].self, c->match_self);
        add(&c->nodes[node].total, c->path[c->match - 1].total);
    }
}

static void
push(struct counter *c, uint32_t name)
{
    c->path = mem_grow(c->path, &c->path_cap, c->depth + 1, sizeof *c->path);
    struct path_frame *f = &c->path[c->depth];
    f->name = name;
    f->group = group_of(&c->groups, name);
    f->node = c->depth > 0 ? f[-1].node : INTERN_NONE;
    f->total = (struct decimal){0, 0};
    struct group_state *state = state_of(c, f->group);
    f->outermost = !state->on_path;
    state->on_path = true;
    c->depth++;
    if (c->match == 0 && state->matches) {
        c->match = c->depth;
        c->match_self = (struct decimal){0, 0};
    }
    if (c->shape == SHAPE_CALLEES && c->match > 0)
        f->node = tree_node(c, f->node, f->group);
}

/* Takes the last frames off the path, so that `depth` are left. */
static void
pop_to(struct counter *c, size_t depth)
{
    struct decimal below = {0, 0}; /* of the frame that was taken off before */
    while (c->depth > depth) {
        struct path_frame *f = &c->path[c->depth - 1];
        add(&f->total, below);
        below = f->total;
        if (c->shape == SHAPE_CALLERS && c->match == c->depth)
            add_callers(c);
        else if (c->shape == SHAPE_CALLEES && f->node != INTERN_NONE)
            add(&c->nodes[f->node].total, below);
        c->match = c->match == c->depth ? 0 : c->match;
        c->depth--;
        if (!f->outermost)
            continue;
        if (c->shape == SHAPE_TABLE)
            add(&c->nodes[f->group].total, below);
        c->states[f->group].on_path = false;
    }
    if (depth > 0)
        add(&c->path[depth - 1].total, below);
}

/* Adds the count of the stack on the path to a self time: its leaf's; with SHAPE_CALLERS that of
 * the function whose callers are shown, if the leaf is that function. */
static void
add_self(struct counter *c, struct decimal count)
{
    struct path_frame *leaf = &c->path[c->depth - 1];
    if (c->shape == SHAPE_TABLE) {
        add(&c->nodes[leaf->group].self, count);
    } else if (c->shape == SHAPE_CALLEES && leaf->node != INTERN_NONE) {
        add(&c->nodes[leaf->node].self, count);
    } else if (c->shape == SHAPE_CALLERS && c->match > 0 &&
               c->path[c->match - 1].group == leaf->group) {
        add(&c->match_self, count);
    }
}

void
counter_add(struct counter *c, const uint32_t *names, size_t n, struct decimal count)
{
    size_t common = 0;
    while (common < c->depth && common < n && c->path[common].name == names[common])
        common++;
    pop_to(c, common);
    while (c->depth < n)
        push(c, names[c->depth]);
    add(&c->path[n - 1].total, count);
    add_self(c, count);
    add(&c->all, count);
}

void
counter_settle(struct counter *c)
{
    pop_to(c, 0);
}

void
counter_free(struct counter *c)
{
    group_free(&c->groups);
    free(c->nodes);
    free(c->slots);
    free(c->states);
    free(c->path);
}

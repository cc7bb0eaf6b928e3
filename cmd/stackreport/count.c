#include "cmd/stackreport/count.h"

#include <stdlib.h>

#include "common/base/hash.h"

/* What is known of a group. */
struct group_state {
    bool on_path;
    bool matches; /* counter.function */
};

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
    }
    return &c->states[group];
}

static inline struct group_state *
state_of(struct counter *c, uint32_t group)
{
    return group < c->nstates ? &c->states[group] : new_states(c, group);
}

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

static uint32_t *
slot_of(struct counter *c, uint32_t parent, uint32_t group)
{
    size_t at = (size_t)hash_mix(hash_seed(), (uint64_t)parent << 32 | group) & c->mask;
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

/* The same without trees. */
static struct node *
table_node(struct counter *c, uint32_t group)
{
    while (c->nnodes <= group)
        new_node(c, INTERN_NONE, (uint32_t)c->nnodes);
    return &c->nodes[group];
}

/* Most counts have no fraction. */
static inline void
add(struct decimal *to, struct decimal count)
{
    if ((to->fraction | count.fraction) == 0 && count.whole <= UINT64_MAX - to->whole)
        to->whole += count.whole;
    else
        *to = decimal_add(*to, count);
}

static void
add_to_node(struct node *n, const struct path_frame *f)
{
    add(&n->self, f->self);
    add(&n->total, f->total);
}

/* Adds what a match has to its tree, from the function itself to the outermost caller. */
static void
add_callers(struct counter *c, size_t match)
{
    uint32_t node = INTERN_NONE;
    for (size_t i = match + 1; i-- > 0;) {
        node = tree_node(c, node, c->path[i].group);
        add_to_node(&c->nodes[node], &c->path[match]);
    }
}

static void
push(struct counter *c, uint32_t name)
{
    c->path = mem_grow(c->path, &c->path_cap, c->depth + 1, sizeof *c->path);
    struct path_frame *f = &c->path[c->depth];
    f->name = name;
    f->group = group_of(&c->groups, name);
    f->match = c->depth > 0 ? f[-1].match : INTERN_NONE;
    f->node = c->depth > 0 ? f[-1].node : INTERN_NONE;
    f->self = f->total = (struct decimal){0, 0};
    struct group_state *state = state_of(c, f->group);
    f->outermost = !state->on_path;
    state->on_path = true;
    if (f->match == INTERN_NONE && state->matches)
        f->match = (uint32_t)c->depth;
    if (c->shape == SHAPE_CALLEES && f->match != INTERN_NONE)
        f->node = tree_node(c, f->node, f->group);
    c->depth++;
}

static void
pop(struct counter *c)
{
    struct path_frame *f = &c->path[--c->depth];
    if (c->shape == SHAPE_TABLE) {
        struct node *n = table_node(c, f->group);
        add(&n->self, f->self);
        if (f->outermost)
            add(&n->total, f->total);
    } else if (c->shape == SHAPE_CALLERS && f->match == c->depth) {
        add_callers(c, c->depth);
    } else if (c->shape == SHAPE_CALLEES && f->node != INTERN_NONE) {
        add_to_node(&c->nodes[f->node], f);
    }
    if (c->depth > 0)
        add(&f[-1].total, f->total);
    if (f->outermost)
        c->states[f->group].on_path = false;
}

/* The frame that gets a stack's count as self time: its leaf; with SHAPE_CALLERS the function whose
 * callers are shown, if the leaf is that function. NULL: none. */
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
    struct path_frame *self = self_frame(c);
    add(&c->path[n - 1].total, count);
    if (self != NULL)
        add(&self->self, count);
    add(&c->all, count);
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
    free(c->nodes);
    free(c->slots);
    free(c->states);
    free(c->path);
}

#include "cmd/stackcollapse/stacktree.h"

#include <stdlib.h>

#include "common/base/hash.h"

enum { FIRST_SLOTS = 256 };

/* The slot of the node with this parent and name, or the empty one where it belongs. */
static uint32_t *
slot_of(const struct stacktree *t, uint32_t parent, uint32_t name)
{
    size_t i = (size_t)hash_mix(t->seed, (uint64_t)parent << 32 | name) & t->mask;
    while (t->slots[i] != 0 &&
           (t->nodes[t->slots[i]].parent != parent || t->nodes[t->slots[i]].name != name))
        i = (i + 1) & t->mask;
    return &t->slots[i];
}

/* Doubles the hash table. */
static void
grow(struct stacktree *t)
{
    size_t slots = t->slots != NULL ? 2 * (t->mask + 1) : FIRST_SLOTS;
    free(t->slots);
    t->slots = calloc(slots, sizeof *t->slots);
    if (t->slots == NULL)
        mem_exhausted();
    t->mask = slots - 1;
    for (size_t i = 1; i < t->n; i++)
        *slot_of(t, t->nodes[i].parent, t->nodes[i].name) = (uint32_t)i;
}

static uint32_t
add_node(struct stacktree *t, uint32_t parent, uint32_t name)
{
    if (t->n >= UINT32_MAX)
        mem_exhausted();
    t->nodes = mem_grow(t->nodes, &t->cap, t->n + 1, sizeof *t->nodes);
    t->nodes[t->n] = (struct stacktree_node){.parent = parent, .name = name};
    return (uint32_t)t->n++;
}

uint32_t
stacktree_find(struct stacktree *t, uint32_t parent, uint32_t name)
{
    if (t->n == 0) {
        t->seed = hash_seed();
        add_node(t, 0, 0);
    }
    if (t->slots == NULL || t->n > t->mask / 2)
        grow(t);
    uint32_t *slot = slot_of(t, parent, name);
    if (*slot == 0)
        *slot = add_node(t, parent, name);
    t->nodes[t->at].next = *slot;
    return t->at = *slot;
}

uint32_t
stacktree_push(struct stacktree *t, struct stackbuild *b, uint32_t parent, struct span name)
{
    uint32_t next = stacktree_guess(t, parent);
    if (next != STACKTREE_ROOT && span_eq(profile_name_text(b->profile, t->nodes[next].name), name))
        return t->at = next;
    return stacktree_find(t, parent, stackbuild_name(b, name));
}

void
stacktree_shift(struct stacktree *t, int places)
{
    for (size_t i = 1; i < t->n; i++)
        t->nodes[i].count = decimal_shift(t->nodes[i].count, places);
}

static size_t
depth_of(const struct stacktree *t, uint32_t node)
{
    size_t n = 0;
    for (; node != STACKTREE_ROOT; node = t->nodes[node].parent)
        n++;
    return n;
}

/* Puts the n names on the way from a node to the root into frames, in that order or the opposite.
 */
static void
frames_of(const struct stacktree *t, uint32_t node, uint32_t *frames, size_t n, bool opposite)
{
    for (size_t i = 0; i < n; i++, node = t->nodes[node].parent)
        frames[opposite ? n - 1 - i : i] = t->nodes[node].name;
}

void
stacktree_flush(struct stacktree *t, struct profile *profile, bool leaf_first)
{
    uint32_t *frames = NULL;
    size_t cap = 0;
    for (size_t i = 1; i < t->n; i++) {
        if (!t->nodes[i].counted)
            continue;
        size_t n = depth_of(t, (uint32_t)i);
        frames = mem_grow(frames, &cap, n, sizeof *frames);
        frames_of(t, (uint32_t)i, frames, n, !leaf_first);
        profile_add(profile, frames, n, t->nodes[i].count, NULL);
    }
    free(frames);
    stacktree_free(t);
}

void
stacktree_free(struct stacktree *t)
{
    free(t->nodes);
    free(t->slots);
    *t = (struct stacktree){0};
}

#include "common/stack/model/stacktree.h"

#include <stdlib.h>

#include "common/base/hash.h"

enum { FIRST_SLOTS = 256 };

/* Return the slot of the node with this parent and name, or the empty one where it belongs. */
static uint32_t *
slot_of(const struct stacktree *t, uint32_t parent, uint32_t name)
{
    size_t i = (size_t)hash_number((uint64_t)parent << 32 | name, t->key) & t->mask;
    while (t->slots[i] != 0 &&
           (t->nodes[t->slots[i]].parent != parent || t->nodes[t->slots[i]].name != name))
        i = (i + 1) & t->mask;
    return &t->slots[i];
}

/* Double the hash table. */
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
stacktree_child(struct stacktree *t, uint32_t parent, uint32_t name)
{
    if (t->n == 0) {
        t->key = hash_key();
        add_node(t, 0, 0);
    }
    if (t->slots == NULL || t->n > t->mask / 2)
        grow(t);
    uint32_t *slot = slot_of(t, parent, name);
    if (*slot == 0)
        *slot = add_node(t, parent, name);
    return *slot;
}

void
stacktree_shift(struct stacktree *t, uint32_t from, int places)
{
    for (size_t i = from; i < t->n; i++)
        t->nodes[i].count = decimal_shift(t->nodes[i].count, places);
}

void
stacktree_free(struct stacktree *t)
{
    free(t->nodes);
    free(t->slots);
    *t = (struct stacktree){0};
}

#include "common/stack/model/stacktree.h"

#include <stdlib.h>

static uint32_t
add_node(struct stacktree *t, uint32_t parent, uint32_t name)
{
    if (t->n >= UINT32_MAX)
        mem_exhausted();
    t->nodes = mem_grow(t->nodes, &t->cap, t->n + 1, sizeof *t->nodes);
    t->nodes[t->n] = (struct stacktree_node){.parent = parent, .name = name};
    return (uint32_t)t->n++;
}

static uint32_t
tag_of(const struct stacktree *t, uint32_t parent, uint32_t name)
{
    return (uint32_t)hash_number((uint64_t)parent << 32 | name, t->key);
}

static void
add_to_slots(struct stacktree *t, uint32_t id)
{
    const struct stacktree_node *node = &t->nodes[id];
    if (t->nslots++ >= t->slots.mask / 2)
        slots_grow(&t->slots);
    slots_put(&t->slots, (struct hash_slot){tag_of(t, node->parent, node->name), id + 1});
}

uint32_t
stacktree_look_up(struct stacktree *t, uint32_t parent, uint32_t name)
{
    uint32_t id;
    if (t->n == 0) {
        t->key = hash_key();
        slots_grow(&t->slots);
        add_node(t, 0, 0);
    }
    uint32_t newest = t->nodes[parent].newest;
    if (newest != STACKTREE_ROOT) {
        uint32_t tag = tag_of(t, parent, name);
        for (size_t i = tag; slots_next(&t->slots, tag, &i, &id);)
            if (t->nodes[id].parent == parent && t->nodes[id].name == name)
                return id;
        add_to_slots(t, newest);
    }
    id = add_node(t, parent, name);
    t->nodes[parent].newest = id;
    return id;
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
    free(t->slots.at);
    *t = (struct stacktree){0};
}

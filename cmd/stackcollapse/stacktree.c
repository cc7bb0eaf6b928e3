#include "cmd/stackcollapse/stacktree.h"

#include <stdlib.h>

#include "common/base/hash.h"

enum { FIRST_SLOTS = 256 };

/* The slot of the node with this parent and name, or the empty one where it belongs. */
static uint32_t *
slot_of(const struct stacktree *t, uint32_t parent, uint32_t name)
{
    size_t i = (size_t)hash_number((uint64_t)parent << 32 | name, t->key) & t->mask;
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
        t->key = hash_key();
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
    uint32_t next = t->n > 0 ? t->nodes[t->at].next : STACKTREE_ROOT;
    if (next != STACKTREE_ROOT && t->nodes[next].parent == parent &&
        span_eq(profile_name_text(b->profile, t->nodes[next].name), name))
        return t->at = next;
    return stacktree_find(t, parent, stackbuild_name(b, name));
}

void
stacktree_shift(struct stacktree *t, int places)
{
    for (size_t i = 1; i < t->n; i++)
        t->nodes[i].count = decimal_shift(t->nodes[i].count, places);
}

/* Changes the frames of one stack, root first, into those of another. A stack's number is higher
 * than those of the stacks that it extends. */
static void
change_stack(const struct stacktree *t, struct stackbuild *b, uint32_t from, uint32_t to)
{
    uint32_t common = to;
    while (common != from) {
        if (common > from) {
            common = t->nodes[common].parent;
        } else {
            from = t->nodes[from].parent;
            b->n--;
        }
    }
    size_t kept = b->n;
    for (; to != common; to = t->nodes[to].parent)
        stackbuild_push_name(b, t->nodes[to].name);
    stackbuild_reverse(b, kept);
}

void
stacktree_flush(struct stacktree *t, struct profile *profile, bool leaf_first)
{
    struct stackbuild b = {.profile = profile};
    bool all_new = profile_stacks(profile) == 0; /* the tree has each stack once */
    uint32_t last = STACKTREE_ROOT;
    for (uint32_t i = 1; i < t->n; i++) {
        if (!t->nodes[i].counted)
            continue;
        change_stack(t, &b, last, i);
        last = i;
        if (leaf_first)
            stackbuild_reverse(&b, 0);
        (all_new ? profile_add_new : profile_add)(profile, b.frames, b.n, t->nodes[i].count, NULL);
        if (leaf_first)
            stackbuild_reverse(&b, 0); /* back */
    }
    stackbuild_free(&b);
    stacktree_free(t);
}

void
stacktree_free(struct stacktree *t)
{
    free(t->nodes);
    free(t->notes);
    free(t->slots);
    *t = (struct stacktree){0};
}

/* A treap whose nodes can have several owners: sorted by address, and no child has a higher rank
 * than its parent. Ranks are random, so the tree is as high as one filled in random order, whatever
 * is inserted: most paths have 2 log2(n) nodes, and all have less than 200 for any n that fits into
 * memory. This limits the recursion. Seidel and Aragon, "Randomized Search Trees" (1996). */
#include "common/sym/maptree.h"

#include <stdlib.h>

struct mapnode {
    struct map map;
    struct mapnode *left, *right;
    uint32_t owners, rank;
};

enum { CHUNK = 500 }; /* nodes: 32 KB */

struct mapchunk {
    struct mapchunk *next;
    struct mapnode nodes[CHUNK];
};

static void
add_chunk(struct mapnodes *nodes)
{
    struct mapchunk *c = mem_alloc(sizeof *c);
    nodes->key = hash_key();
    c->next = nodes->chunks;
    nodes->chunks = c;
    for (size_t i = CHUNK; i-- > 0;) {
        c->nodes[i] = (struct mapnode){.left = nodes->unused};
        nodes->unused = &c->nodes[i];
    }
}

static struct mapnode *
new_node(struct mapnodes *nodes, const struct map *map)
{
    if (nodes->unused == NULL)
        add_chunk(nodes);
    struct mapnode *n = nodes->unused;
    nodes->unused = n->left;
    nodes->used++;
    *n = (struct mapnode){
        .map = *map, .owners = 1, .rank = (uint32_t)hash_number(++nodes->made, nodes->key)};
    return n;
}

struct mapnode *
maptree_share(struct mapnode *tree)
{
    if (tree != NULL && tree->owners++ == UINT32_MAX)
        mem_exhausted();
    return tree;
}

void
maptree_drop(struct mapnodes *nodes, struct mapnode *n)
{
    if (n == NULL || --n->owners > 0)
        return;
    maptree_drop(nodes, n->left);
    maptree_drop(nodes, n->right);
    n->left = nodes->unused;
    nodes->unused = n;
    nodes->used--;
}

/* Return the node if this tree is its only owner, otherwise a copy that may be changed. */
static struct mapnode *
own(struct mapnodes *nodes, struct mapnode *n)
{
    if (n->owners == 1)
        return n;
    struct mapnode *copy = new_node(nodes, &n->map);
    copy->left = maptree_share(n->left);
    copy->right = maptree_share(n->right);
    copy->rank = n->rank;
    n->owners--;
    return copy;
}

/* Split a tree: the maps that start before the address, and the others. */
static void
split(struct mapnodes *nodes, struct mapnode *tree, uint64_t at, struct mapnode **before,
      struct mapnode **after)
{
    *before = *after = NULL;
    if (tree == NULL)
        return;
    struct mapnode *n = own(nodes, tree);
    if (n->map.start < at) {
        split(nodes, n->right, at, &n->right, after);
        *before = n;
    } else {
        split(nodes, n->left, at, before, &n->left);
        *after = n;
    }
}

/* Join two trees. All maps in `left` are before those in `right`. */
static struct mapnode *
join(struct mapnodes *nodes, struct mapnode *left, struct mapnode *right)
{
    if (left == NULL || right == NULL)
        return left != NULL ? left : right;
    if (left->rank > right->rank) {
        left = own(nodes, left);
        left->right = join(nodes, left->right, right);
        return left;
    }
    right = own(nodes, right);
    right->left = join(nodes, left, right->left);
    return right;
}

/* If the last map of the tree extends beyond the address, end it there. */
static void
cut_last(struct mapnodes *nodes, struct mapnode **tree, uint64_t end)
{
    while (*tree = own(nodes, *tree), (*tree)->right != NULL)
        tree = &(*tree)->right;
    (*tree)->map.end = end;
}

void
maptree_insert(struct mapnodes *nodes, struct mapnode **tree, const struct map *map)
{
    struct mapnode *before, *covered, *after;
    const struct map *first = maptree_find(*tree, map->start),
                     *last = maptree_find(*tree, map->end);
    bool cuts = first != NULL && first->start < map->start;
    if (last != NULL && last->start < map->end) {
        struct map rest = *last;
        rest.offset = map_address(last, map->end);
        rest.start = map->end;
        split(nodes, *tree, map->end, &before, &after);
        *tree = join(nodes, join(nodes, before, new_node(nodes, &rest)), after);
    }
    split(nodes, *tree, map->start, &before, &after);
    split(nodes, after, map->end, &covered, &after);
    maptree_drop(nodes, covered);
    if (cuts)
        cut_last(nodes, &before, map->start);
    *tree = join(nodes, join(nodes, before, new_node(nodes, map)), after);
}

const struct map *
maptree_find(const struct mapnode *n, uint64_t addr)
{
    while (n != NULL && (addr < n->map.start || addr >= n->map.end))
        n = addr < n->map.start ? n->left : n->right;
    return n != NULL ? &n->map : NULL;
}

const struct map *
maptree_from(const struct mapnode *n, uint64_t addr)
{
    const struct map *first = NULL;
    while (n != NULL) {
        bool after = n->map.end > addr;
        first = after ? &n->map : first;
        n = after ? n->left : n->right;
    }
    return first;
}

size_t
mapnodes_size(const struct mapnodes *nodes)
{
    return nodes->used * sizeof(struct mapnode);
}

void
mapnodes_each(struct mapnodes *nodes, void (*change)(void *ctx, struct map *map), void *ctx)
{
    for (struct mapchunk *c = nodes->chunks; c != NULL; c = c->next)
        for (size_t i = 0; i < CHUNK; i++)
            if (c->nodes[i].owners > 0)
                change(ctx, &c->nodes[i].map);
}

void
mapnodes_free(struct mapnodes *nodes)
{
    while (nodes->chunks != NULL) {
        struct mapchunk *c = nodes->chunks;
        nodes->chunks = c->next;
        free(c);
    }
    *nodes = (struct mapnodes){0};
}

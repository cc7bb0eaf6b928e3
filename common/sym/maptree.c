/* An AVL tree whose nodes may have several owners. Insertion splits the tree at both ends of the
 * new map and joins what remains: Blelloch, Ferizovic and Sun, "Just Join for Parallel Ordered
 * Sets" (2016). Recursion is as deep as the tree is high: at most 1.45 * log2(n), so below 100 for
 * any n that fits into memory. */
#include "common/sym/maptree.h"

#include <stdlib.h>

struct mapnode {
    struct map map;
    struct mapnode *left, *right;
    uint32_t owners;
    uint8_t height; /* 0 is that of no tree */
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
    *n = (struct mapnode){.map = *map, .owners = 1, .height = 1};
    return n;
}

static int
height(const struct mapnode *n)
{
    return n != NULL ? n->height : 0;
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

/* The node itself if this tree is its only owner, otherwise a copy of it that may be changed. */
static struct mapnode *
own(struct mapnodes *nodes, struct mapnode *n)
{
    if (n->owners == 1)
        return n;
    struct mapnode *copy = new_node(nodes, &n->map);
    copy->left = maptree_share(n->left);
    copy->right = maptree_share(n->right);
    copy->height = n->height;
    n->owners--;
    return copy;
}

static struct mapnode *
set_children(struct mapnode *n, struct mapnode *left, struct mapnode *right)
{
    int l = height(left), r = height(right);
    n->left = left;
    n->right = right;
    n->height = (uint8_t)((l > r ? l : r) + 1);
    return n;
}

/* The right child, `up`, becomes the parent of n. Both are owned. */
static struct mapnode *
rotate_left(struct mapnode *n, struct mapnode *up)
{
    struct mapnode *inner = up->left;
    return set_children(up, set_children(n, n->left, inner), up->right);
}

static struct mapnode *
rotate_right(struct mapnode *n, struct mapnode *up)
{
    struct mapnode *inner = up->right;
    return set_children(up, up->left, set_children(n, inner, n->right));
}

/* n with these children, whose heights differ by at most two. */
static struct mapnode *
balance(struct mapnodes *nodes, struct mapnode *n, struct mapnode *left, struct mapnode *right)
{
    if (left != NULL && left->height > height(right) + 1) {
        left = own(nodes, left);
        if (left->right != NULL && left->right->height > height(left->left))
            left = rotate_left(left, own(nodes, left->right));
        return rotate_right(set_children(n, left, right), left);
    }
    if (right != NULL && right->height > height(left) + 1) {
        right = own(nodes, right);
        if (right->left != NULL && right->left->height > height(right->right))
            right = rotate_right(right, own(nodes, right->left));
        return rotate_left(set_children(n, left, right), right);
    }
    return set_children(n, left, right);
}

/* One tree of all in `left`, the node in the middle, and all in `right`, in this order. */
static struct mapnode *
join(struct mapnodes *nodes, struct mapnode *left, struct mapnode *middle, struct mapnode *right)
{
    if (left != NULL && left->height > height(right) + 1) {
        left = own(nodes, left);
        return balance(nodes, left, left->left, join(nodes, left->right, middle, right));
    }
    if (right != NULL && right->height > height(left) + 1) {
        right = own(nodes, right);
        return balance(nodes, right, join(nodes, left, middle, right->left), right->right);
    }
    return set_children(middle, left, right);
}

/* Cuts a tree in two: what lies before the address, and from it on. */
static void
split(struct mapnodes *nodes, struct mapnode *tree, uint64_t at, struct mapnode **before,
      struct mapnode **after)
{
    *before = *after = NULL;
    if (tree == NULL)
        return;
    struct mapnode *n = own(nodes, tree), *left = n->left, *right = n->right, *part;
    if (at <= n->map.start) {
        split(nodes, left, at, before, &part);
        *after = join(nodes, part, n, right);
    } else if (at >= n->map.end) {
        split(nodes, right, at, &part, after);
        *before = join(nodes, left, n, part);
    } else {
        struct map rest = n->map;
        rest.offset += at - rest.start;
        rest.start = n->map.end = at;
        *before = join(nodes, left, n, NULL);
        *after = join(nodes, NULL, new_node(nodes, &rest), right);
    }
}

void
maptree_insert(struct mapnodes *nodes, struct mapnode **tree, const struct map *map)
{
    struct mapnode *before, *covered, *after;
    split(nodes, *tree, map->start, &before, &after);
    split(nodes, after, map->end, &covered, &after);
    maptree_drop(nodes, covered);
    *tree = join(nodes, before, new_node(nodes, map), after);
}

const struct map *
maptree_find(const struct mapnode *n, uint64_t addr)
{
    while (n != NULL && (addr < n->map.start || addr >= n->map.end))
        n = addr < n->map.start ? n->left : n->right;
    return n != NULL ? &n->map : NULL;
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

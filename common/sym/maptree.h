/* The memory maps of one process, sorted by address, without overlaps.
 *
 * A search tree that several processes can share: a fork costs nothing, and a change copies only
 * the nodes on its path (copy-on-write). So memory grows with the number of maps added, not with
 * maps times forks, whatever a file claims. */
#ifndef SYM_MAPTREE_H
#define SYM_MAPTREE_H

#include <stdint.h>

#include "common/base/hash.h"
#include "common/base/mem.h"

/* A range of the address space, [start, end). */
struct map {
    uint64_t start, end;
    uint64_t offset; /* key of `start` in the DSO's symbol table: see enum dso_kind, procmaps.h */
    uint64_t time;   /* time of mapping, in nanoseconds of the recording's clock */
    uint32_t dso;
};

/* Return the key in the DSO's symbol table of `addr`, an address inside the map. */
static inline uint64_t
map_address(const struct map *m, uint64_t addr)
{
    return addr - m->start + m->offset;
}

/* Storage of nodes, for trees that may share some. {0} is empty. */
struct mapnodes {
    struct mapchunk *chunks;
    struct mapnode *unused;
    size_t used;         /* nodes in use */
    uint64_t made;       /* nodes ever made */
    struct hash_key key; /* makes the nodes' random ranks, which keep the trees balanced */
};

/* Return the approximate memory of all trees, in bytes. */
size_t mapnodes_size(const struct mapnodes *nodes);

/* Call change() for each map of all trees; it may set the map's `dso`. */
void mapnodes_each(struct mapnodes *nodes, void (*change)(void *ctx, struct map *map), void *ctx);

/* Free all trees at once. */
void mapnodes_free(struct mapnodes *nodes);

/* A tree is a pointer to its root; NULL is the empty tree. */
struct mapnode;

/* Add a map with start < end to the tree. Older maps that it overlaps are cut; their parts before
 * and after it remain. */
void maptree_insert(struct mapnodes *nodes, struct mapnode **tree, const struct map *map);

/* Return the map at the address; NULL if there is none. Valid until the tree changes. */
const struct map *maptree_find(const struct mapnode *tree, uint64_t addr);

/* Return the first map that ends after the address; it may begin before or after it. Return NULL if
 * there is none. Valid until the tree changes. */
const struct map *maptree_from(const struct mapnode *tree, uint64_t addr);

/* Return the tree for a second owner. Changes by one owner do not affect the other. */
struct mapnode *maptree_share(struct mapnode *tree);

/* Release one owner's tree. Nodes that nobody shares are reused. */
void maptree_drop(struct mapnodes *nodes, struct mapnode *tree);

#endif

/* The memory maps of one process, ordered by address, none overlapping another.
 *
 * It is a search tree that several processes may share: a fork costs nothing, and a change copies
 * only the nodes on its path (copy-on-write). So memory grows with the number of maps added, and
 * not with maps times forks, whatever a file claims. */
#ifndef SYM_MAPTREE_H
#define SYM_MAPTREE_H

#include <stdint.h>

#include "common/base/hash.h"
#include "common/base/mem.h"

/* A piece of address space, [start, end). */
struct map {
    uint64_t start, end;
    uint64_t offset; /* what the DSO's symbol table calls `start` */
    uint64_t time;   /* when it was mapped, in nanoseconds of the recording's clock */
    uint32_t dso;
};

/* Return the address by which the DSO's symbol table knows `addr`, an address inside the map. */
static inline uint64_t
map_address(const struct map *m, uint64_t addr)
{
    return addr - m->start + m->offset;
}

/* Where nodes come from, common to trees that share some. {0} is an empty one. */
struct mapnodes {
    struct mapchunk *chunks;
    struct mapnode *unused;
    size_t used;         /* nodes that some tree has */
    uint64_t made;       /* in all */
    struct hash_key key; /* of their ranks */
};

/* About how much memory the trees take, in bytes. */
size_t mapnodes_size(const struct mapnodes *nodes);

/* Call change() for each map of all trees, which may set its `dso`. */
void mapnodes_each(struct mapnodes *nodes, void (*change)(void *ctx, struct map *map), void *ctx);

/* Free all trees at once. */
void mapnodes_free(struct mapnodes *nodes);

/* A tree is a pointer to its root; NULL is the empty one. */
struct mapnode;

/* Add a map with start < end to the tree. It covers what was there: older maps are cut, and their
 * parts on both sides remain. */
void maptree_insert(struct mapnodes *nodes, struct mapnode **tree, const struct map *map);

/* Return the map at the address, or NULL. Valid until the tree changes. */
const struct map *maptree_find(const struct mapnode *tree, uint64_t addr);

/* Return the first map that ends after the address: it may begin before the address or after it.
 * NULL: there is none. Valid until the tree changes. */
const struct map *maptree_from(const struct mapnode *tree, uint64_t addr);

/* Return the tree for a second owner: what either inserts, the other does not see. */
struct mapnode *maptree_share(struct mapnode *tree);

/* Give up one owner's tree; nodes that nobody shares can be used again. */
void maptree_drop(struct mapnodes *nodes, struct mapnode *tree);

#endif

/* The names of a perf map (perfmap.h) as perf script finds them.
 *
 * perf puts the records into a red-black tree in the order of the file and does not resolve
 * overlaps: its search returns the first record that it meets, mostly the oldest one. Only an exact
 * copy of that tree gives its answers. */
#ifndef SYM_PERFTREE_H
#define SYM_PERFTREE_H

#include <stdint.h>

#include "common/base/mem.h"
#include "common/base/regular.h"

/* {0} is an empty one. */
struct perftree {
    /* private */
    size_t count;                /* of nodes */
    struct perftree_node *nodes; /* nodes[0] is not used, so that the number 0 is no node */
    size_t cap;
    uint32_t root;
    struct arena names;
};

/* Read the open file, and close it. Return NULL, or what is wrong, and then the tree is empty. */
const char *perftree_load(struct perftree *t, struct regular_file *f);

/* Find the name that perf script prints for the address, valid until perftree_free, and where that
 * record begins. False if perf finds none. A record of size 0 has its one address. */
bool perftree_find(const struct perftree *t, uint64_t addr, struct span *name, uint64_t *start);

void perftree_free(struct perftree *t);

#endif

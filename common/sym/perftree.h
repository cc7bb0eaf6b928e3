/* The names of a perf map (perfmap.h), found as perf script finds them.
 *
 * perf inserts the records into a red-black tree in the order of the file, and does not resolve
 * overlaps: its search returns the first record that it meets, mostly the oldest one. Only an exact
 * copy of that tree gives perf's answers. */
#ifndef SYM_PERFTREE_H
#define SYM_PERFTREE_H

#include <stdint.h>

#include "common/base/mem.h"
#include "common/base/regular.h"

/* {0} is empty. */
struct perftree {
    /* private */
    size_t count;                /* number of nodes */
    struct perftree_node *nodes; /* nodes[0] is unused, so that 0 means no node */
    size_t cap;
    uint32_t root;
    struct arena names;
};

/* Read the open file, and close it. Return NULL, or what is wrong with the file: then the tree is
 * empty. */
const char *perftree_load(struct perftree *t, struct regular_file *f);

/* Find the name that perf script prints for the address, and the start of its record. The name is
 * valid until perftree_free. Return false if perf finds none. A record of size 0 covers one
 * address. */
bool perftree_find(const struct perftree *t, uint64_t addr, struct span *name, uint64_t *start);

void perftree_free(struct perftree *t);

#endif

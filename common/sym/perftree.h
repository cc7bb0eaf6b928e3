/* The names of a perf map (perfmap.h) as perf script finds them.
 *
 * perf puts the records into a red-black tree in the order of the file and does not resolve
 * overlaps: its search returns the first record that it meets, mostly the oldest one. Only an exact
 * copy of that tree gives its answers. */
#ifndef SYM_PERFTREE_H
#define SYM_PERFTREE_H

#include <stdint.h>

#include "common/base/lines.h"
#include "common/base/mem.h"

/* {0} is an empty one. */
struct perftree {
    size_t count; /* records that perf accepts */

    /* private */
    struct perftree_node *nodes; /* nodes[0] is not used, so that the number 0 is no node */
    size_t cap;
    uint32_t root;
    struct arena names;
};

/* Reads a map from the next line to the last. After a read error (lines->error) it has the records
 * before it. */
void perftree_read(struct perftree *t, struct lines *lines);

/* Reads the open file, and closes it. Returns NULL, or what is wrong, and then the tree is empty.
 */
const char *perftree_load(struct perftree *t, int fd);

/* The name that perf script prints for the address, and where that record begins, valid until
 * perftree_free. False if perf finds none. A record of size 0 has its one address. There perf
 * prints the address without the start of its map as the offset, so that map_start is added to
 * *start. */
bool perftree_find(const struct perftree *t, uint64_t addr, uint64_t map_start, struct span *name,
                   uint64_t *start);

void perftree_free(struct perftree *t);

#endif

/* A perf map: the names of JIT-compiled code, which the program that compiles it writes for perf.
 *
 *     7f1e2215d058 4c LazyCompile:*get email /srv/app.js:12     address, size, name
 *
 * The file grows while its process runs, so the last record may be half written. Addresses are used
 * again: where records overlap, the later one has the address. */
#ifndef SYM_PERFMAP_H
#define SYM_PERFMAP_H

#include <stdint.h>

#include "common/base/intern.h"
#include "common/base/lines.h"

/* {0} is an empty one. */
struct perfmap {
    size_t count;         /* records */
    size_t skipped;       /* lines that are not records */
    size_t first_skipped; /* the line number of the first of them */

    /* private from here */
    struct intern names;
    struct perfmap_entry *entries; /* in the order of the file */
    size_t cap;
    uint64_t *edges; /* where entries begin and end, each once, ascending */
    size_t nedges;
    uint32_t *owner; /* from edges[i] to edges[i + 1]: an entry's number + 1, 0: none */
};

/* Reads the rest of `lines` as a map; lines->error says whether reading failed. */
void perfmap_read(struct perfmap *m, struct lines *lines);

/* Reads the file of that name, which may be another user's: only a regular file, with no symbolic
 * link at the name's end, of at most PERFMAP_MAX bytes. Returns NULL, or what is wrong, and then
 * the map is empty. */
const char *perfmap_load(struct perfmap *m, const char *path);

/* A gigabyte: a long-lived node writes some tens of megabytes. */
enum { PERFMAP_MAX = 1 << 30 };

/* The name of the code at the address, and where that code begins. False where the map has none. */
bool perfmap_find(const struct perfmap *m, uint64_t addr, struct span *name, uint64_t *start);

void perfmap_free(struct perfmap *m);

#endif

/* Which line of a perf map names the code at an address. A record takes 16 bytes here, and up to 32
 * where blocks are half full: the name stays in the file, where the line can be read again.
 *
 * Pieces lie in blocks of some hundred, in the order of their addresses, and a list has the blocks.
 * So an insertion moves at most a block, and sometimes the list, which is a thousandth as long. */
#ifndef SYM_CODEMAP_H
#define SYM_CODEMAP_H

#include <stdint.h>

#include "common/base/mem.h"

/* Addresses [start, start + len) whose name is in one line. */
struct codepiece {
    uint64_t start;
    uint32_t len;
    uint32_t line; /* the line's offset in the file */
};

/* {0} is an empty one. */
struct codemap {
    /* private */
    struct codeblock **blocks;
    size_t count, cap;
    struct codepiece wide; /* the last piece of 4 GB or more, which lies below all others */
    uint64_t wide_end;     /* 0: there is none */
};

/* Give [start, end) to the line, and cut what was there. A piece of 4 GB or more is hardly code: only
 * the last such piece is kept, it cuts nothing, and codemap_find gives it where there is no other. */
void codemap_put(struct codemap *m, uint64_t start, uint64_t end, uint32_t line);

/* Remove what lies in [start, end), and any piece of 4 GB or more. */
void codemap_clear(struct codemap *m, uint64_t start, uint64_t end);

/* Return the first piece below 4 GB that ends after the address: it may begin before it or after it.
 * NULL: there is none. Valid until the map changes, as the next one is. */
const struct codepiece *codemap_from(const struct codemap *m, uint64_t addr);

/* Return the piece at the address, or NULL. */
const struct codepiece *codemap_find(const struct codemap *m, uint64_t addr);

/* Return true if any address in [start, end) has a piece. */
bool codemap_overlaps(const struct codemap *m, uint64_t start, uint64_t end);

/* Return how much memory the map takes, in bytes. */
size_t codemap_size(const struct codemap *m);

void codemap_free(struct codemap *m);

#endif

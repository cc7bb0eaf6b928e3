/* Maps addresses to lines of a perf map. A record takes 16 bytes here, and up to 32 where blocks
 * are half full. The names stay in the file, where the line can be read again.
 *
 * Pieces are stored in blocks of some hundred, sorted by address; a list holds the blocks. So an
 * insertion moves at most one block, and sometimes the list, which is a thousandth as long. */
#ifndef SYM_CODEMAP_H
#define SYM_CODEMAP_H

#include <stdint.h>

#include "common/base/mem.h"

/* The addresses [start, start + len), named by one line. */
struct codepiece {
    uint64_t start;
    uint32_t len;
    uint32_t line; /* offset of the line in the file */
};

/* {0} is empty. */
struct codemap {
    /* private */
    struct codeblock **blocks;
    size_t count, cap;
    struct codepiece wide; /* the last piece of 4 GB or more; all others take precedence */
    uint64_t wide_end;     /* 0: there is no wide piece */
};

/* Assign [start, end) to a line, and cut the pieces that were there. A piece of 4 GB or more is
 * hardly code: only the last such piece is kept, it cuts nothing, and codemap_find returns it only
 * where there is no other. */
void codemap_put(struct codemap *m, uint64_t start, uint64_t end, uint32_t line);

/* Remove all pieces in [start, end), and the piece of 4 GB or more. */
void codemap_clear(struct codemap *m, uint64_t start, uint64_t end);

/* Return the first piece below 4 GB that ends after the address; it may begin before or after it.
 * Return NULL if there is none. Valid until the map changes, as is codemap_find's result. */
const struct codepiece *codemap_from(const struct codemap *m, uint64_t addr);

/* Return the piece at the address; NULL if there is none. */
const struct codepiece *codemap_find(const struct codemap *m, uint64_t addr);

/* Return true if a piece covers any address in [start, end). */
bool codemap_overlaps(const struct codemap *m, uint64_t start, uint64_t end);

/* Return the map's size in memory, in bytes. */
size_t codemap_size(const struct codemap *m);

void codemap_free(struct codemap *m);

#endif

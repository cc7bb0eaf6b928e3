/* Maps addresses to lines of a perf map. A line is an offset, in whatever the caller stores: in the
 * file (livemap.h), or in a copy of the names (perfmap.h). A piece, the addresses named by one
 * line, takes 16 bytes, and up to 32 if blocks are half full.
 *
 * Pieces are stored in blocks of at most 254, sorted by address; a list points to the blocks. So an
 * insertion moves at most the pieces of one block and, if a block is added, the pointers in the
 * list, which take a 500th of the memory. */
#ifndef SYM_CODEMAP_H
#define SYM_CODEMAP_H

#include <stdint.h>

#include "common/base/mem.h"

/* The addresses [start, start + len), named by one line. */
struct codepiece {
    uint64_t start;
    uint32_t len;
    uint32_t line; /* offset that was given to codemap_put() */
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

/* Leave nothing in [start, end): remove the pieces inside, and cut those that are partly in it.
 * Also remove the piece of 4 GB or more, wherever it is. */
void codemap_clear(struct codemap *m, uint64_t start, uint64_t end);

/* Return the first piece below 4 GB that ends after the address; it may begin before or after it.
 * Return NULL if there is none. Valid until the map changes, as is codemap_find's result. */
const struct codepiece *codemap_from(const struct codemap *m, uint64_t addr);

/* Return the piece at the address; NULL if there is none. */
const struct codepiece *codemap_find(const struct codemap *m, uint64_t addr);

/* Return true if a piece, also the one of 4 GB or more, covers any address in [start, end). */
bool codemap_overlaps(const struct codemap *m, uint64_t start, uint64_t end);

/* Return the map's size in memory, in bytes. */
size_t codemap_size(const struct codemap *m);

void codemap_free(struct codemap *m);

#endif

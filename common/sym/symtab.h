/* A table of symbols, sorted by address. The readers of ELF files and of kallsyms fill it. */
#ifndef SYM_SYMTAB_H
#define SYM_SYMTAB_H

#include <stdint.h>

#include "common/base/patience.h"
#include "common/base/text.h"
#include "common/sym/content.h"

/* {0} is an empty table. Set `patience`, if wanted, before the first symtab_add(), and `names`, and
 * `demangle` if wanted, before symtab_finish(). */
struct symtab {
    /* The text with all names, freed with the table. A symbol refers to its name by offset, as in
     * view_string(). So adding a symbol does not read its name, and a name takes no memory until it
     * is looked up. */
    struct view names;

    /* Return the name as it will be printed, valid until the next call. NULL: names are printed as
     * they are. Called for symbols that are looked up, and where several symbols at one address
     * differ only in their names. */
    struct span (*demangle)(void *ctx, struct span name);
    void *ctx;

    /* Asked from time to time while the table is made, so that the caller can empty ring buffers;
     * whatever it answers, the work goes on. Or NULL. */
    struct patience *patience;

    /* private */
    size_t worked; /* bytes of names that were compared, and that demangle() returned */
    struct symtab_entry *entries;
    struct symtab_piece *pieces;
    size_t count, cap;
    struct span *kept; /* names that were looked up */
    size_t nkept, kept_cap, kept_bytes;
    struct arena arena;
};

enum { SYMTAB_WEAK = 1, SYMTAB_GLOBAL = 2, SYMTAB_NOTYPE = 4 };

/* Add a symbol: its first address; its size in bytes, 0 if unknown; the offset of its name in
 * `names`; and SYMTAB_ flags. Symbols may come in any order; the order decides between symbols that
 * are otherwise equal. Names beyond the first 512 MB are ignored. A symbol of 4 GB or more extends
 * to the next one. */
void symtab_add(struct symtab *t, uint64_t start, uint64_t size, uint32_t name, unsigned flags);

/* Sort the table. Call once, after the last symtab_add() and before the functions below.
 *
 * A symbol without a size is dropped if it lies inside one with a size. Otherwise it ends where the
 * next one starts; the last one ends 4096 bytes after the end of its page. Of several symbols at
 * one address, keep one, by these rules in order: with a size, of a known type, not weak, global,
 * the fewest leading underscores, the longest name, the first one added; but if none has a size,
 * the last one added. These are the rules of `perf script` 6.1, with one exception: of symbols
 * without a size inside one with a size, perf finds some, depending on the shape of its search
 * tree. */
void symtab_finish(struct symtab *t);

/* Find the name of the symbol at the address, as it is printed, and the symbol's start. If symbols
 * overlap, use the one with the nearest start. Return false if there is none, or if its name cannot
 * be read. The name is valid until the next call; if `names` is in memory and there is no
 * demangle(), it points into `names` and is valid until symtab_free(). */
bool symtab_find(struct symtab *t, uint64_t addr, struct span *name, uint64_t *start);

/* Find the range from the start of the first symbol to the end of the last one. Return false if the
 * table is empty. */
bool symtab_range(const struct symtab *t, uint64_t *start, uint64_t *end);

void symtab_free(struct symtab *t);

#endif

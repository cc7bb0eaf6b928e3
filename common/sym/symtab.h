/* A table of symbols, sorted by address. The readers of ELF files and of kallsyms fill it. */
#ifndef SYM_SYMTAB_H
#define SYM_SYMTAB_H

#include <stdint.h>

#include "common/base/text.h"
#include "common/sym/content.h"

/* {0} is an empty table. The caller sets `names`, and `demangle` where it wants that, before
 * symtab_finish(). */
struct symtab {
    /* The text that holds all names, freed with the table; symbols refer to their name by its
     * offset in it, as view_string() does. So adding a symbol does not touch its name, and a name
     * takes no memory before it is asked for. */
    struct view names;

    /* A name as it will be printed, valid until the next call; NULL: names are printed as they are.
     * Called for the symbols that are asked for, and where several symbols of one address differ in
     * nothing but their names. */
    struct span (*demangle)(void *ctx, struct span name);
    void *ctx;

    /* private */
    size_t worked; /* bytes of names that were compared, and of those that demangle() made */
    struct symtab_entry *entries;
    struct symtab_piece *pieces;
    size_t count, cap;
    struct span *kept; /* names that were looked up */
    size_t nkept, kept_cap, kept_bytes;
    struct arena arena;
};

enum { SYMTAB_WEAK = 1, SYMTAB_GLOBAL = 2, SYMTAB_NOTYPE = 4 };

/* Add a symbol: its first address, its size in bytes or 0 where that is not known, the offset of
 * its name in `names`, and SYMTAB_ flags. Symbols may come in any order; the order decides between
 * symbols that are equal in everything else. Of more than 512 MB of names the rest is not read; a
 * symbol of 4 GB and more reaches to the next one. */
void symtab_add(struct symtab *t, uint64_t start, uint64_t size, uint32_t name, unsigned flags);

/* Sort the table; to be called once, after the last symtab_add() and before anything below.
 *
 * A symbol without a size ends where the next one starts, the last one 4096 bytes after the end of
 * its page; inside a symbol with a size it is dropped. Of several symbols at one address the best
 * one is kept: with a size, of a known type, not weak, global, with the fewest leading
 * underscores, with the longest name, and at last the first one added; but if none has a size, the
 * last one added. These are the rules of `perf script` 6.1, but for symbols without a size inside
 * one with a size: of those perf finds some and not others, by the shape of its search tree. */
void symtab_finish(struct symtab *t);

/* Find the name of the symbol at the address, as it is printed, and where that symbol starts. Of
 * symbols that overlap, the one with the nearest start. False if there is none, or its name cannot
 * be read. The name is valid until the next call; where it lies in memory and there is no
 * demangle(), until symtab_free(), and inside of `names`. */
bool symtab_find(struct symtab *t, uint64_t addr, struct span *name, uint64_t *start);

/* Find the addresses from the first symbol to the end of the last one. False for an empty table.
 */
bool symtab_range(const struct symtab *t, uint64_t *start, uint64_t *end);

void symtab_free(struct symtab *t);

#endif

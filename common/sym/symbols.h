/* Finds the symbol for an address of one address space, in several symbol tables: a perf map, and
 * whatever else knows names (ELF files, kallsyms, jitdump). */
#ifndef SYM_SYMBOLS_H
#define SYM_SYMBOLS_H

#include <stdint.h>

#include "common/base/mem.h"

struct symbol {
    struct span name;
    uint64_t offset; /* of the address from the symbol's start, in bytes */
    struct span dso; /* where the name comes from */
};

/* One table. find() gives the name of the code at an address and where that code begins, or false;
 * the name is valid as long as the table. */
struct symbol_provider {
    const void *table;
    bool (*find)(const void *table, uint64_t addr, struct span *name, uint64_t *start);
    struct span dso;
};

/* {0} knows no symbol. */
struct symbols {
    struct symbol_provider *providers;
    size_t count, cap;
};

/* Adds a table, which is borrowed; it is searched after those that were added before. */
void symbols_add(struct symbols *s, struct symbol_provider provider);

/* Fills *found from the first table that knows the address. False if none does. */
bool symbols_find(const struct symbols *s, uint64_t addr, struct symbol *found);

void symbols_free(struct symbols *s);

#endif

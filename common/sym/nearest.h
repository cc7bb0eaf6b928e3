/* The function nearest before an address, and its source file, from a symbol table: what GNU tools
 * print for code without debug information. */
#ifndef SYM_NEAREST_H
#define SYM_NEAREST_H

#include "common/sym/elf.h"

/* {0} has no symbols. */
struct nearest {
    /* private */
    const struct elf *elf;
    struct nearest_symbol *list; /* sorted by address */
    size_t count, cap;
    struct view names;
};

/* Read .symtab, or .dynsym if there is none. The file is borrowed. */
void nearest_read(struct nearest *n, const struct elf *e);

/* Find the last function that begins at the address or before it in the same section. Set *known if
 * the table names its source file, and *file to that name, which may be empty, as for assembly.
 * Return false if there is no such function. */
bool nearest_find(struct nearest *n, uint64_t address, struct text *function, struct text *file,
                  bool *known);

void nearest_free(struct nearest *n);

#endif

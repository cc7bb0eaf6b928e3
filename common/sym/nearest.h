/* The function before an address, and its source file, from a symbol table: what GNU tools say of
 * code without debug information. */
#ifndef SYM_NEAREST_H
#define SYM_NEAREST_H

#include "common/sym/elf.h"

/* {0} has no symbols. */
struct nearest {
    /* private */
    const struct elf *elf;
    struct nearest_symbol *list; /* by address */
    size_t count, cap;
    struct view names;
};

/* Read .symtab, or without one .dynsym. The file is borrowed. */
void nearest_read(struct nearest *n, const struct elf *e);

/* Find the last function in the section of an address that begins there or before. Set *file to the
 * source file that the table has it under, which may be the empty text, as of assembly; *known:
 * there is one. False if there is no such function. */
bool nearest_find(struct nearest *n, uint64_t address, struct text *function, struct text *file,
                  bool *known);

void nearest_free(struct nearest *n);

#endif

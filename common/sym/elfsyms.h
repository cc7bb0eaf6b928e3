/* The names of the code in an ELF file, by offset in the file. */
#ifndef SYM_ELFSYMS_H
#define SYM_ELFSYMS_H

#include "common/base/text.h"
#include "common/sym/elf.h"
#include "common/sym/symtab.h"

/* {0} has no names. Set symbols.demangle, symbols.ctx and symbols.patience, if wanted, before
 * elfsyms_read(). */
struct elfsyms {
    struct symtab symbols; /* from .symtab, else from Go's function table, else from .dynsym */
    /* The exported symbols, from the program's .dynsym. Filled only if `symbols` is from
     * .gnu_debugdata or Go's table, which lack them. */
    struct symtab exported;
    struct symtab plt; /* PLT entries, named "malloc@plt" */

    /* private */
    struct text plt_names;
    bool as_perf;
    /* With as_perf: offsets of the entries of .plt, if there are enough to hide other symbols from
     * perf; else 0. */
    uint64_t plt_start, plt_end;
};

enum elfsyms_mode {
    ELFSYMS_RIGHT, /* name PLT entries by the code and the relocations */
    /* As perf 6.1: assume that the i-th PLT entry has the i-th relocation; no names in .plt.sec and
     * .plt.got. */
    ELFSYMS_AS_PERF,
    ELFSYMS_ADDRESSES /* for vmlinux: the key is the address, not the offset in the file; no PLT */
};

/* Read the symbols and the PLT. `symbols` is the file with the symbol table. `runtime` is the file
 * that ran: its segments and PLT are used, since those of a file with debug symbols have no
 * contents. They may be the same file. Both are borrowed as long as *s is used. If a file is
 * changed meanwhile, its content has a `problem`, and nothing has a name. */
void elfsyms_read(struct elfsyms *s, const struct elf *symbols, const struct elf *runtime,
                  enum elfsyms_mode mode);

/* As symtab_find(), but with an offset in the file. */
bool elfsyms_find(struct elfsyms *s, uint64_t offset, struct span *name, uint64_t *start);

/* Return true if the file has a .symtab, not only a .dynsym of exported symbols. */
bool elfsyms_has_symtab(const struct elf *e);

void elfsyms_free(struct elfsyms *s);

#endif

/* The names of the code in an ELF file, by the offset in the file. */
#ifndef SYM_ELFSYMS_H
#define SYM_ELFSYMS_H

#include "common/base/text.h"
#include "common/sym/elf.h"
#include "common/sym/symtab.h"

/* {0} has no names. The caller may set symbols.demangle and symbols.ctx before elfsyms_read(). */
struct elfsyms {
    struct symtab symbols; /* of .symtab, else of Go's table of functions, else of .dynsym */
    struct symtab
        exported;      /* of the program's .dynsym, where the others leave these out, as those of
                               .gnu_debugdata and of Go do */
    struct symtab plt; /* the entries of the procedure linkage table, as "malloc@plt" */

    /* private */
    struct text plt_names;
    bool as_perf;
    uint64_t plt_start, plt_end; /* offsets of the entries; 0: none, or few */
};

enum elfsyms_mode {
    ELFSYMS_RIGHT,    /* the names of PLT entries are taken from the code and the relocations */
    ELFSYMS_AS_PERF,  /* PLT entries are counted, as perf 6.1 does: .plt.sec and .plt.got have none
                       */
    ELFSYMS_ADDRESSES /* for vmlinux: keyed by address in place of the offset in the file; no PLT */
};

/* Read the symbols and the PLT. `symbols` has the symbol table; `runtime` is the file that ran,
 * whose segments and PLT count: the segments of a file with debug symbols have no contents. They
 * may be the same. Both are borrowed as long as *s is used. If the file is changed meanwhile,
 * which its content tells, nothing has a name. */
void elfsyms_read(struct elfsyms *s, const struct elf *symbols, const struct elf *runtime,
                  enum elfsyms_mode mode);

/* As symtab_find(), for an offset in the file. */
bool elfsyms_find(struct elfsyms *s, uint64_t offset, struct span *name, uint64_t *start);

/* Return true if the file has a symbol table: .symtab, and not only the .dynsym of what it
 * exports. */
bool elfsyms_has_symtab(const struct elf *e);

void elfsyms_free(struct elfsyms *s);

#endif

/* The names of the entries of an ELF file's procedure linkage table (PLT), through which it calls
 * functions of other files. */
#ifndef SYM_ELFPLT_H
#define SYM_ELFPLT_H

#include "common/sym/elfsyms.h"

/* Adds the entries that the code of .plt, .plt.sec and .plt.got and the relocations tell of: an
 * entry jumps through a slot of the global offset table (GOT), and a relocation says whose address
 * is put there. A function chosen at run time (IRELATIVE) is named by its resolver, from
 * s->symbols, which is finished. For x86-64 only; other machines' are counted. */
void elfplt_decode(struct elfsyms *s, const struct elf *e);

/* Adds the entries of .plt by the order of the relocations in .rela.plt, which is perf's way. */
void elfplt_count(struct elfsyms *s, const struct elf *e);

#endif

/* The names of the entries of an ELF file's procedure linkage table (PLT), through which it calls
 * functions of other files. */
#ifndef SYM_ELFPLT_H
#define SYM_ELFPLT_H

#include "common/sym/elfsyms.h"

/* Adds the entries of .plt, .plt.sec and .plt.got to s->plt, by their code and the relocations: an
 * entry jumps through a slot of the global offset table (GOT), and a relocation says whose address
 * the dynamic linker puts there. A function chosen at run time (IRELATIVE) is named by its
 * resolver, which is looked up in s->symbols; that table must be finished. For x86-64 only; on
 * other machines the same as elfplt_count(). Entries that cannot be decoded are left out. */
void elfplt_decode(struct elfsyms *s, const struct elf *e);

/* Adds the entries of .plt by the order of the relocations in .rela.plt, which is perf's way. */
void elfplt_count(struct elfsyms *s, const struct elf *e);

#endif

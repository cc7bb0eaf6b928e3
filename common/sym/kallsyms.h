/* The kernel's symbols: /proc/kallsyms, perf's copies of it
 * (~/.debug/[kernel.kallsyms]/.../kallsyms), and System.map. */
#ifndef SYM_KALLSYMS_H
#define SYM_KALLSYMS_H

#include "common/base/text.h"
#include "common/sym/symtab.h"

/* {0} is empty. */
struct kallsyms {
    struct symtab kernel;  /* its symtab_range() is the range of the kernel's own code */
    struct symtab modules; /* of modules, and of code that the kernel makes at run time ("[bpf]") */

    /* private */
    bool any_address;
    struct text text; /* all names */
};

/* Read the regular file at the path, at most KALLSYMS_MAX bytes. Return NULL, or what is wrong with
 * the file: then *k is empty. It is an error if all addresses are 0, as the kernel shows them to
 * unprivileged users. `patience`, if not NULL, is asked from time to time, so that the caller can
 * empty ring buffers; whatever it answers, reading goes on. */
const char *kallsyms_load(struct kallsyms *k, const char *path, struct patience *patience);

enum { KALLSYMS_MAX = 1 << 28 }; /* a kernel with modules has 10 MB */

/* Find the name of the symbol at an address, and the symbol's start. Return false if there is none.
 * If several symbols have one address, use the last of the file. The name is valid until
 * kallsyms_free(). */
bool kallsyms_find(struct kallsyms *k, uint64_t addr, struct span *name, uint64_t *start);

void kallsyms_free(struct kallsyms *k);

#endif

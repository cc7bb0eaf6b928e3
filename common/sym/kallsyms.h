/* The kernel's symbols: /proc/kallsyms, perf's copies of it
 * (~/.debug/[kernel.kallsyms]/.../kallsyms), and System.map. */
#ifndef SYM_KALLSYMS_H
#define SYM_KALLSYMS_H

#include "common/base/text.h"
#include "common/sym/symtab.h"

/* {0} is an empty one. */
struct kallsyms {
    struct symtab kernel;  /* symtab_range() of it is the range of the kernel's own code */
    struct symtab modules; /* of modules, and of what the kernel makes at run time ("[bpf]") */

    /* private */
    bool any_address;
    struct text text; /* of all names */
};

/* Read the regular file of that name; at most KALLSYMS_MAX bytes. Return NULL, or what is wrong
 * with the file, and then *k is empty. A file whose addresses are all 0, as the kernel shows them
 * to users without rights, is wrong. */
const char *kallsyms_load(struct kallsyms *k, const char *path);

enum { KALLSYMS_MAX = 1 << 28 }; /* a kernel with modules has 10 MB */

/* Find the name of the symbol at an address, and where the symbol starts; false if there is
 * none. Of the symbols at one address the last of the file has it. The name is valid until
 * kallsyms_free(). */
bool kallsyms_find(struct kallsyms *k, uint64_t addr, struct span *name, uint64_t *start);

void kallsyms_free(struct kallsyms *k);

#endif

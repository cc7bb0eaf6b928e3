/* What is known of code in ELF files: inlined calls and source lines from debug information, or at
 * least the function from the symbol table. */
#ifndef SYMBOLIZE_DEBUGINFO_H
#define SYMBOLIZE_DEBUGINFO_H

#include "common/base/diag.h"
#include "common/dwarf/dwarf.h"
#include "common/sym/dsofile.h"
#include "common/sym/nearest.h"

/* The files that are ready to be asked; the others are opened again. */
enum { DEBUGINFO_FILES = 64 };

/* Limit on the memory of all files that are ready, in bytes; most of it are unpacked sections. Above it
 * the debug information of the largest is not read any more, with a message. */
#define DEBUGINFO_MOST ((uint64_t)4 << 30)

/* {0} has no files. */
struct debuginfo {
    struct diag *diag; /* set by the caller; NULL: what is missing is not reported */
    /* Set by the caller: how many bytes the ready files and the cache may take together, and one file
     * half as many. 0: DEBUGINFO_MOST, and the cache's own limit. */
    uint64_t limit;
    struct dwarf_cache cache; /* the caller may set where to search */

    /* private */
    struct debuginfo_file {
        const struct elffile *file; /* NULL: a free slot */
        struct dwarf *dwarf;        /* NULL: it has no debug information */
        struct nearest nearest;
        bool listed;   /* `nearest` was read */
        uint64_t used; /* the number of the last question */
        size_t size;   /* bytes */
    } files[DEBUGINFO_FILES];
    uint64_t questions;
    struct dwarf_call one;
    struct text function, source;
};

/* Find the calls at an address of the file, as the file has it, innermost first. The file is
 * borrowed until debuginfo_end, by its address. Return their number; 0 if nothing is known. Valid
 * until the next call. */
size_t debuginfo_find(struct debuginfo *d, const struct elffile *file, uint64_t address,
                      const struct dwarf_call **calls);

/* Forget all files. To be called before they are closed. */
void debuginfo_end(struct debuginfo *d);

/* The same, and free the memory. */
void debuginfo_free(struct debuginfo *d);

#endif

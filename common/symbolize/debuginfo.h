/* What is known of code in ELF files: inlined calls and source lines from debug information, or at
 * least the function from the symbol table. */
#ifndef SYMBOLIZE_DEBUGINFO_H
#define SYMBOLIZE_DEBUGINFO_H

#include "common/base/diag.h"
#include "common/base/patience.h"
#include "common/dwarf/dwarf.h"
#include "common/sym/dsofile.h"
#include "common/sym/nearest.h"

/* The files that are ready to be asked; the others are opened again. */
enum { DEBUGINFO_FILES = 64 };

/* Limit on the memory of all files that are ready, in bytes; most of it are unpacked sections. Above it
 * the debug information of the largest is not read any more, with a message. */
#define DEBUGINFO_MOST ((uint64_t)4 << 30)

/* Limits on reading debug information while something waits for that, such as a recording. */
struct debuginfo_pace {
    /* Called every some ten microseconds of reading. `trusted`: the file is root's, or of the
     * one who runs the program. Return false if reading must end at once. NULL: nothing waits,
     * and all is read. */
    bool (*pause)(void *ctx, bool trusted);
    void *ctx;
    /* Nanoseconds of processor time, also of a tool that unpacks, for all debug information of
     * one file. Files that are not trusted may take twice that together, and an eighth of the
     * time that passes. */
    uint64_t most;
    /* Two clocks, in nanoseconds: the time that passes, and the processor time of this program. */
    uint64_t (*now)(void);
    uint64_t (*used)(void);
};

/* {0} has no files. */
struct debuginfo {
    struct diag *diag; /* set by the caller; NULL: what is missing is not reported */
    /* Set by the caller: how many bytes the ready files and the cache may take together, and one file
     * half as many. 0: DEBUGINFO_MOST, and the cache's own limit. */
    uint64_t limit;
    struct debuginfo_pace pace; /* set by the caller */
    struct dwarf_cache cache;   /* the caller may set where to search */

    /* private */
    struct debuginfo_file {
        const struct elffile *file; /* NULL: a free slot */
        struct dwarf *dwarf;        /* NULL: it has no debug information */
        struct nearest nearest;
        bool listed;   /* `nearest` was read */
        uint64_t used; /* the number of the last question */
        size_t size;   /* bytes */
        bool trusted;
        uint64_t spent; /* nanoseconds of processor time, to read it */
    } files[DEBUGINFO_FILES];
    uint64_t questions;
    struct patience patience;     /* to read `asked` */
    struct debuginfo_file *asked; /* the file of this question */
    const char *why;              /* `asked` is given up */
    uint64_t since;               /* processor time when reading went on last */
    uint64_t first;               /* when the first question came */
    uint64_t strangers;           /* spent on files that are not trusted */
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

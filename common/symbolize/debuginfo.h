/* Looks up code in ELF files: inlined calls and source lines from debug information, or else the
 * function from the symbol table. */
#ifndef SYMBOLIZE_DEBUGINFO_H
#define SYMBOLIZE_DEBUGINFO_H

#include "common/base/diag.h"
#include "common/base/patience.h"
#include "common/dwarf/dwarf.h"
#include "common/sym/dsofile.h"
#include "common/sym/nearest.h"

/* Maximum number of open files; others are closed and opened again when needed. */
enum { DEBUGINFO_FILES = 64 };

/* Limit on the memory of all open files, in bytes. Most of this memory holds decompressed sections.
 * If the files take more, the debug information of the largest one is given up, with a message. */
#define DEBUGINFO_MAX ((uint64_t)4 << 30)

/* Limits on reading debug information while something, such as a recording, has to wait for it. */
struct debuginfo_pace {
    /* Called every few tens of microseconds of reading. `trusted`: the file belongs to root or to
     * the user who runs the program. Return false to give up reading the file. NULL: nothing waits,
     * and there are no limits. */
    bool (*pause)(void *ctx, bool trusted);
    void *ctx;
    /* Limit on the time for the debug information of one file, in nanoseconds: processor time, plus
     * the time of waiting for a tool that decompresses. The files that are not trusted may together
     * take twice this limit, plus an eighth of the time elapsed since the first lookup. */
    uint64_t most;
    /* Two clocks, in nanoseconds: elapsed time, and the processor time of this program. */
    uint64_t (*now)(void);
    uint64_t (*used)(void);
};

/* {0} has no files. */
struct debuginfo {
    struct diag *diag; /* set by the caller; NULL: do not report what is missing */
    /* Set by the caller: maximum bytes of the open files and of `cache` together. A single file may
     * take at most half of that. 0: DEBUGINFO_MAX, and for the cache its own limit. */
    uint64_t limit;
    struct debuginfo_pace pace; /* set by the caller */
    struct dwarf_cache cache;   /* the caller may set the search path */

    /* private */
    struct debuginfo_file {
        const struct elffile *file; /* NULL: a free slot */
        struct dwarf *dwarf;        /* NULL: it has no debug information */
        struct nearest nearest;
        bool listed;   /* `nearest` was read */
        uint64_t used; /* number of its last lookup */
        size_t size;   /* bytes */
        bool trusted;
        uint64_t spent; /* processor time of reading it, in nanoseconds */
    } files[DEBUGINFO_FILES];
    uint64_t questions;           /* number of lookups so far */
    struct patience patience;     /* for reading `asked` */
    struct debuginfo_file *asked; /* file of the current lookup */
    const char *why;              /* why reading `asked` was given up, or NULL */
    uint64_t since;               /* processor time when reading last continued */
    uint64_t first;               /* time of the first lookup */
    uint64_t strangers;           /* processor time spent on files that are not trusted */
    struct dwarf_call one;
    struct text function, source;
};

/* Find the calls at an address of the file, as in its ELF symbols: innermost first, the inlined
 * calls and then the function that contains them. Return their number; 0 if nothing is known. The
 * calls are valid until the next lookup. The file, which is identified by its pointer, is borrowed
 * until debuginfo_end. */
size_t debuginfo_find(struct debuginfo *d, const struct elffile *file, uint64_t address,
                      const struct dwarf_call **calls);

/* Forget all files. Call this before closing them. */
void debuginfo_end(struct debuginfo *d);

/* Forget all files and free all memory. */
void debuginfo_free(struct debuginfo *d);

#endif

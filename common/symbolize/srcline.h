/* Source lines of ordinary code, as perf script -F +srcline prints them:
 *
 *     core.c:137           from the debug information, by addr2line(1)
 *     core.c:0             ... or the symbol table, where a file is known and no line
 *     libc.so.6[2724a]     nothing is known of the address: the file's name, and the address in it
 */
#ifndef SYMBOLIZE_SRCLINE_H
#define SYMBOLIZE_SRCLINE_H

#include "common/base/diag.h"
#include "common/sym/addr2line.h"
#include "common/sym/dsofile.h"
#include "common/sym/procmaps.h"

/* So many files have an addr2line that runs. Some take hundreds of megabytes of memory. */
enum { SRCLINES_FILES = 16 };

/* After so many files of which addr2line did not answer in time, no more are asked about. */
enum { SRCLINES_LATE = 3 };

/* {0} is none, with `diag` set by the caller. */
struct srclines {
    struct diag *diag;

    /* private */
    struct srclines_file {
        const struct dsofile *file; /* NULL: a free slot */
        struct addr2line addr2line;
        uint64_t used; /* the number of the last question */
    } files[SRCLINES_FILES];
    uint64_t questions;
    double seconds; /* in which they were answered */
    bool cannot_run, noted;
    const struct dsofile *late[SRCLINES_LATE]; /* are not asked about again */
    size_t nlate;
    struct text calls;
};

/* Append the source line of the code at an address as `struct dso` has it. `file` is the DSO's;
 * NULL: none. It is borrowed until srclines_end, by its address. False where perf prints no line:
 * the file has a function at the address, but not which source file that is of. */
bool srclines_add(struct srclines *s, const struct dso *dso, const struct dsofile *file,
                  uint64_t addr, struct text *out);

/* End all processes that run. To be called before the files are closed. */
void srclines_end(struct srclines *s);

/* End all processes that run, and free the memory. */
void srclines_free(struct srclines *s);

#endif

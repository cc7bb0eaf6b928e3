/* JIT-compiled code of the processes that wrote a jitdump (node --perf-prof): each piece is in its
 * process's address space from the time on at which it was made. */
#ifndef SYMBOLIZE_JITCODE_H
#define SYMBOLIZE_JITCODE_H

#include "common/base/diag.h"
#include "common/base/intern.h"
#include "common/base/text.h"
#include "common/sym/jitdump.h"
#include "common/sym/procmaps.h"

/* {0} is none, with `diag` set by the caller. */
struct jitcode {
    struct diag *diag;
    const char *symfs; /* a folder that goes before the dumps' paths; "": none */
    bool lines;        /* read the line numbers too */
    bool no_times; /* samples have the times of another clock: all code is there from the start */

    /* private */
    struct intern files;    /* of dumps, by device and inode */
    struct jitdump **dumps; /* by number of `files`; NULL: it cannot be read */
    size_t dumps_cap;
    struct intern pids;
    struct jitcode_process {
        int32_t pid;
        struct span path; /* of the dump, as the process saw it */
        const struct jitdump *dump;
        size_t next; /* load that is not in the address space yet */
    } * processes;   /* by number of `pids` */
    size_t cap;
    uint64_t due; /* when the next load of any process is made */
    struct jitcode_piece {
        const struct jitdump *dump;
        const struct jitload *load;
    } * *pieces; /* by DSO number; NULL: the DSO is not a piece of JIT-compiled code */
    size_t npieces, pieces_cap;
    struct arena arena;
};

/* To be asked for each map of a process before it is added. True if it is not to be added: it is
 * that of a dump, which is loaded, or memory whose code a dump describes. A dump is read once, by
 * whatever paths it is mapped, and belongs to the process that maps it first and to that whose
 * number it has in its name. One that cannot be read is reported, and its code is named by the
 * perf map if there is one. */
bool jitcode_takes(struct jitcode *j, int32_t pid, const struct procmap *map);

/* Add the code that was made up to a time, in nanoseconds, to the address spaces. */
void jitcode_advance(struct jitcode *j, struct procmaps *maps, uint64_t time);

/* Return the piece of code that the DSO of that number is; NULL if it is none. Valid until
 * jitcode_free. */
const struct jitcode_piece *jitcode_find(const struct jitcode *j, uint32_t dso);

/* Note that DSO i is now numbers[i], or is forgotten if that is INTERN_NONE; see procmaps.h. */
void jitcode_renumber(struct jitcode *j, const uint32_t *numbers, size_t count);

/* Append the source line of an address in the piece, "/srv/app.js:12". False if its dump has none.
 */
bool jitcode_line(const struct jitcode_piece *p, uint64_t addr, struct text *out);

void jitcode_free(struct jitcode *j);

#endif

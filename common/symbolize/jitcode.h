/* JIT-compiled code of the processes that wrote a jitdump (node --perf-prof). Each piece of code is
 * added to its process's address space at the time when it was generated. */
#ifndef SYMBOLIZE_JITCODE_H
#define SYMBOLIZE_JITCODE_H

#include "common/base/diag.h"
#include "common/base/intern.h"
#include "common/base/text.h"
#include "common/sym/jitdump.h"
#include "common/sym/procmaps.h"

/* {0} is empty; the caller sets `diag`, and the options below it. */
struct jitcode {
    struct diag *diag;
    const char *symfs; /* folder to prepend to the dumps' paths; "": none */
    bool lines;        /* read the line numbers too */
    bool no_times;     /* samples use another clock: load all code at the start */

    /* private */
    struct intern files;    /* the dumps, by device and inode */
    struct jitdump **dumps; /* indexed by number in `files`; NULL: cannot be read */
    size_t dumps_cap;
    struct intern pids;
    struct jitcode_process {
        int32_t pid;
        struct span path; /* path of the dump in the process */
        const struct jitdump *dump;
        size_t next; /* index of the first of dump->loads that is not yet in the address space */
    } * processes;   /* indexed by number in `pids` */
    size_t cap;
    uint64_t due; /* time of the earliest load that is not yet in an address space */
    struct jitcode_piece {
        const struct jitdump *dump;
        const struct jitload *load;
    } * *pieces; /* by DSO number; NULL: the DSO is not JIT-compiled code */
    size_t npieces, pieces_cap;
    struct arena arena;
};

/* Call this before adding a map to a process's address space. If it returns true, do not add the
 * map. It does so for two kinds of maps: the map of a jitdump, which is loaded by this call, and a
 * map of anonymous memory of a process that has a jitdump, since the code from the dump takes its
 * place. A dump belongs to the first process that maps it, and to the process whose pid is in its
 * name. Each dump is read once, even if it has several paths. If it cannot be read, print a warning
 * and return false: the process's perf map, if there is one, then names its code. */
bool jitcode_takes(struct jitcode *j, int32_t pid, const struct procmap *map);

/* Add all code generated up to `time`, in nanoseconds, to the address spaces. */
void jitcode_advance(struct jitcode *j, struct procmaps *maps, uint64_t time);

/* Return the piece of code with this DSO number; NULL if the DSO is not one. Valid until
 * jitcode_free. */
const struct jitcode_piece *jitcode_find(const struct jitcode *j, uint32_t dso);

/* Apply new DSO numbers: DSO i is now numbers[i], or was forgotten if that is INTERN_NONE (see
 * procmaps.h). */
void jitcode_renumber(struct jitcode *j, const uint32_t *numbers, size_t count);

/* Append the source line of an address in the piece, such as "/srv/app.js:12". Return false if the
 * dump has no line for the address. */
bool jitcode_line(const struct jitcode_piece *p, uint64_t addr, struct text *out);

void jitcode_free(struct jitcode *j);

#endif

/* The interface for names of JIT-compiled code: (process, address, time) -> name. The symbolizer
 * uses it, and naming.h for perf script text. It is implemented for perf maps in files and in
 * recordings (mapnames.h), and for the maps and jitdumps of running processes (liveprocs.h). Code
 * of a recorded jitdump is in the address space instead, as a DSO of its own (jitcode.h). */
#ifndef SYMBOLIZE_JITNAMES_H
#define SYMBOLIZE_JITNAMES_H

#include "common/stack/model/frame.h"
#include "common/sym/procmaps.h"

/* An address that has no name yet. */
struct jitplace {
    int64_t pid; /* the process that ran; -1: unknown */
    /* The process whose perf map names this memory: `pid`, or the parent that forked it; -1:
     * unknown. */
    int64_t map_pid;
    uint64_t addr;
    struct span dso; /* as perf prints it; "[unknown]" for an address in no known mapping */
};

struct jitname {
    struct span text; /* valid until the next lookup */
    uint64_t start;   /* start address of the code */
    struct span dso;  /* DSO to print; empty: keep the place's */
    /* For code of a jitdump: its address in the DSO, an ELF file that has the name as a symbol (see
     * jitdump.h). 0: the code is only in memory. */
    uint64_t in_dso;
    bool doubtful; /* other code was at the address earlier or later */
};

struct jitnames {
    /* Return a number that changes when the name of the place changes. Callers that cache names use
     * it as a part of the cache's key. */
    uint64_t (*key)(struct jitnames *n, const struct jitplace *place);

    /* Find the name that the code at the place has at the time of the last advance(). Return false
     * if it has none. Messages at the end tell how many places had names: so call this only once
     * for each place and key(). */
    bool (*find)(struct jitnames *n, const struct jitplace *place, struct jitname *found);

    /* Advance to a time, in nanoseconds. Return true if names may have changed in any process. If
     * they have changed only in some known processes, call procmaps_touch() for each of these, and
     * return false. */
    bool (*advance)(struct jitnames *n, uint64_t time, struct procmaps *maps);

    /* Return true if the process has a perf map or a jitdump; all names of its code then come from
     * that. NULL: no process has one. */
    bool (*has_map)(struct jitnames *n, int64_t pid);

    /* Note that the recording itself has names of the process's code: do not report that its map
     * was not found. NULL: missing maps are not reported. */
    void (*needs_no_map)(struct jitnames *n, int64_t pid);

    bool in_files; /* find() also names code of files without symbols */
    bool anywhere; /* find() also names code in no known mapping */
};

enum { JITNAME_OFFSET = 24 };

/* Set the frame's name, and its offset from the start of the code, whose text goes into `offset`.
 */
void jitname_set(const struct jitname *name, uint64_t addr, struct frame *f,
                 char offset[static JITNAME_OFFSET]);

#endif

/* Names of JIT-compiled code: (process, address, time) -> name. The symbolizer asks for them by this
 * interface alone, and so does naming.h for perf script text. Perf maps in files and in recordings
 * (mapnames.h) and the maps and jitdumps of processes that run (liveprocs.h) answer. Code that a
 * recorded jitdump describes lies in the address space instead, as a DSO of its own (jitcode.h). */
#ifndef SYMBOLIZE_JITNAMES_H
#define SYMBOLIZE_JITNAMES_H

#include "common/stack/model/frame.h"
#include "common/sym/procmaps.h"

/* An address that has no name yet. */
struct jitplace {
    int64_t pid;     /* of the process that ran; -1: unknown */
    int64_t map_pid; /* of the process whose perf map is to name this memory, after a fork the
                        parent; -1: that is not known */
    uint64_t addr;
    struct span dso; /* as perf prints it; "[unknown]" for an address in no known mapping */
};

struct jitname {
    struct span text; /* valid until the next question */
    uint64_t start;   /* of the code */
    struct span dso;  /* to be printed in place of the other; empty: that stays */
    /* Of a jitdump's code: its place in that DSO, an ELF file of which the name is a symbol; see
     * jitdump.h. 0: the code lies nowhere but in memory. */
    uint64_t in_dso;
    bool doubtful; /* other code was at the address before, or came later */
};

struct jitnames {
    /* Return a number that changes when the name of the place changes, so that answers can be cached
     * with it as a part of the key. */
    uint64_t (*key)(struct jitnames *n, const struct jitplace *place);

    /* Find the name that the code at the place has at the time of the last advance(). False if it has
     * none. The answer is counted for messages, so ask once for each place and key. */
    bool (*find)(struct jitnames *n, const struct jitplace *place, struct jitname *found);

    /* Go on to a time, in nanoseconds. Return true if names of any process may have changed; if only
     * those of some have, touch their spaces (procmaps_touch) and return false. */
    bool (*advance)(struct jitnames *n, uint64_t time, struct procmaps *maps);

    /* Return true if the process has a perf map or a jitdump, which is to name all its code. NULL:
     * no process has. */
    bool (*has_map)(struct jitnames *n, int64_t pid);

    /* The recording has names of the process's code: it is not missed that no map of it was found so far.
     * NULL: that is not reported. */
    void (*excuse)(struct jitnames *n, int64_t pid);

    bool in_files; /* they also name code of files without symbols */
    bool anywhere; /* and code in no known mapping */
};

enum { JITNAME_OFFSET = 24 };

/* Name the frame of an address; `offset` gets the text of its distance from the start of the code. */
void jitname_set(const struct jitname *name, uint64_t addr, struct frame *f,
                 char offset[static JITNAME_OFFSET]);

#endif

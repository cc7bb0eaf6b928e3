/* Address spaces over time: which file lay at an address of a process, and what a thread was
 * called, when a sample was taken. The caller passes on the records of a recording in the order of
 * time, and looks addresses up in between.
 *
 *     MMAP2 1234/1234: [0x560000000000(0x4000) @ 0x1000 ...]: r-xp /usr/bin/node
 *     FORK  (1240:1240):(1234:1234)
 *     COMM  node:1240/1240
 *
 * The rules are those of perf script: a new map covers older ones, there is no unmapping; a fork
 * copies the parent's maps; an exec clears nothing, and neither does an exit. But what is known of
 * a task that exited is forgotten when PROCMAPS_EXITED more have exited, so that an endless stream
 * of records takes no endless memory.
 *
 * Names are kept once. A recorder sets a limit, too: where maps and the names of their files take
 * more, the maps of those processes are forgotten that added the most. */
#ifndef SYM_PROCMAPS_H
#define SYM_PROCMAPS_H

#include "common/base/intern.h"
#include "common/base/text.h"
#include "common/sym/maptree.h"

/* The pid of the kernel's own space: its image and modules, common to all processes. */
#define PROCMAPS_KERNEL INT32_MIN

enum { PROCMAPS_EXITED = 4096 };

/* How the names of a DSO's code are found, and by which address (struct map's offset). */
enum dso_kind {
    DSO_FILE, /* an ELF file: offset in the file */
    DSO_VDSO, /* the kernel's page of user code: offset in its image */
    DSO_JIT,  /* anonymous executable memory; the name is "/tmp/perf-PID.map": the address itself */
    DSO_MEMORY, /* anonymous memory without code: no names */
    DSO_KERNEL  /* the kernel, or a module: the address itself */
};

struct dso {
    struct span name;     /* as perf prints it */
    struct span build_id; /* bytes; empty if the record had none */
    enum dso_kind kind;
    int32_t pid; /* of DSO_JIT: whose perf map has the names, which after a fork is the parent's */
};

/* What an MMAP or MMAP2 record says. */
struct procmap {
    uint64_t start, len, pgoff;
    uint64_t time; /* nanoseconds; 0 if the record has none */
    struct span name;
    struct span build_id; /* empty: none */
    bool executable;
};

/* A process's address space. Equal versions mean equal maps but for those of DSO_MEMORY, also between
 * processes (after a fork), so that a cache can have (version, address) as its key for an address
 * in any other map. Versions are never 0. */
struct procspace {
    uint64_t version;
    struct mapnode *tree;
    int32_t pid; /* of a process that has maps */

    /* private */
    uint64_t exit;    /* the number of its last thread's exit; 0: it runs */
    uint32_t threads; /* that run, as far as known */
    size_t added;    /* bytes of maps and names, about; each time that room is made, half as many */
    bool leaderless; /* the thread whose tid is the pid has exited */
};

/* {0} is an empty one, in which only thread 0, "swapper", has a name. */
struct procmaps {
    /* Huge pages that a program moved its own code into (node --use-largepages) are its file still.
     * perf takes them for JIT-compiled code. */
    bool keeps_files;

    size_t limit; /* bytes for maps and the names of DSOs; 0: as many as they need */
    /* True if a process or thread of that number runs now. Those that do not are forgotten even if
     * the record of their exit was lost. NULL: nobody knows. */
    bool (*runs)(int32_t id);
    /* Called when DSOs that no process has any more were forgotten. The others have new numbers:
     * numbers[old], INTERN_NONE for one that was forgotten. Their names moved, too. NULL: nobody is
     * called. */
    void (*renumbered)(void *ctx, const uint32_t *numbers, size_t count);
    void *ctx;
    size_t forgotten;      /* how many processes' maps were forgotten because of the limit */
    int32_t forgotten_pid; /* the first of them */

    /* private */
    struct intern dsos, comms;
    struct intern ids; /* pids and tids as bytes; a number of it is an index of tasks */
    struct proctask {
        uint32_t comm;          /* a number of comms plus 1; 0: it has no name */
        uint64_t exit;          /* the number of its exit; 0: it runs */
        struct procspace space; /* of a process */
    } * tasks;
    size_t cap;
    size_t old;     /* tasks that were forgotten and still have a number */
    size_t checked; /* tasks when it was last asked which of them run */
    struct procexit {
        uint64_t number;
        int32_t pid, tid;
    } * exited; /* the last PROCMAPS_EXITED, each at its number modulo that; NULL: none */
    uint64_t exits;
    uint64_t versions;
    struct mapnodes nodes;
    struct text key; /* of the DSO looked up last */
};

/* Add a map to a process's space. Names and build-ids are copied. A map that would run past the
 * last address is cut there. Return the number of its DSO; INTERN_NONE for a map of no length,
 * which is ignored. */
uint32_t procmaps_map(struct procmaps *p, int32_t pid, const struct procmap *map);

/* True for the name of a map of anonymous memory: "//anon", "[heap]", ... */
bool procmaps_is_anonymous(struct span name);

/* Give the space of a process a new version: the names of its code have changed, though its maps
 * have not. */
void procmaps_touch(struct procmaps *p, int32_t pid);

/* Take in a FORK record. A thread of the same process (pid == ppid) shares its maps; a new process
 * gets a copy of the parent's, or none if the record is `synthesized` (misc bit 13: perf wrote it
 * for a task that was already running, and MMAP records of it follow). The thread gets its
 * parent's name. */
void procmaps_fork(struct procmaps *p, int32_t pid, int32_t ppid, int32_t tid, int32_t ptid,
                   bool synthesized);

/* Take in an EXIT record of a thread. */
void procmaps_exit(struct procmaps *p, int32_t pid, int32_t tid);

/* Take in a COMM record, of an exec or not. The name is copied. */
void procmaps_comm(struct procmaps *p, int32_t tid, struct span name);

/* Return what the thread is called now; ":TID" if no record named it. Valid until the next record.
 */
struct span procmaps_thread(struct procmaps *p, int32_t tid);

/* Return the space of a process, or NULL if no record gave it a map. Valid until the next
 * procmaps_map or procmaps_fork, procmaps_comm, procmaps_thread or procmaps_exit. */
const struct procspace *procmaps_space(const struct procmaps *p, int32_t pid);

/* Return the map at an address of the space, or NULL; space may be NULL. Valid as the space is. */
const struct map *procmaps_find(const struct procspace *space, uint64_t addr);

/* Return the DSO of a number, of which there are p->dsos.count from 0 in order of appearance. A
 * file has one number for each build-id. Its spans are valid until p->renumbered is called. */
struct dso procmaps_dso(const struct procmaps *p, uint32_t number);

void procmaps_free(struct procmaps *p);

#endif

/* Address spaces over time: the file mapped at an address of a process, and the name of a thread,
 * at the time of a sample. The caller adds a recording's records in the order of time, and looks
 * addresses up in between.
 *
 *     MMAP2 1234/1234: [0x560000000000(0x4000) @ 0x1000 ...]: r-xp /usr/bin/node
 *     FORK  (1240:1240):(1234:1234)
 *     COMM  node:1240/1240
 *
 * The rules are those of perf script: a new map covers older ones; maps are never removed; a fork
 * copies the parent's maps; exec and exit clear nothing. But an exited task is forgotten when
 * PROCMAPS_EXITED more tasks have exited, so that an endless stream of records takes bounded
 * memory.
 *
 * Each name is stored once. A recorder can also set a memory limit: if maps and file names exceed
 * it, the maps of the processes that added the most are forgotten. */
#ifndef SYM_PROCMAPS_H
#define SYM_PROCMAPS_H

#include "common/base/intern.h"
#include "common/base/text.h"
#include "common/sym/maptree.h"

/* The pid for the kernel's address space: its image and modules, common to all processes. */
#define PROCMAPS_KERNEL INT32_MIN

enum { PROCMAPS_EXITED = 4096 };

/* How the code of a DSO is named, and the key of its symbols (struct map's offset). */
enum dso_kind {
    DSO_FILE,   /* an ELF file; key: offset in the file */
    DSO_VDSO,   /* the vdso; key: offset in its image */
    DSO_JIT,    /* anonymous executable memory, named "/tmp/perf-PID.map"; key: the address */
    DSO_MEMORY, /* anonymous memory without code: no names */
    DSO_KERNEL  /* the kernel, or a module; key: the address */
};

struct dso {
    struct span name;     /* as perf prints it */
    struct span build_id; /* bytes; empty if the record had none */
    enum dso_kind kind;
    /* For DSO_JIT: the process whose perf map has the names; after a fork, the parent. */
    int32_t pid;
};

/* The contents of an MMAP or MMAP2 record. */
struct procmap {
    uint64_t start, len, pgoff;
    uint64_t time; /* nanoseconds; 0 if the record has none */
    struct span name;
    struct span build_id; /* empty if there is none */
    bool executable;
};

/* A process's address space. Two spaces with the same version have the same maps, even if they are
 * of different processes (after a fork); only their maps of DSO_MEMORY may differ. So for an
 * address in any other map, (version, address) can be the key of a cache. Versions are never 0. */
struct procspace {
    uint64_t version;
    struct mapnode *tree;
    int32_t pid; /* the process; set when it gets its first map, or is forked */

    /* private */
    uint64_t exit;    /* the number of its last thread's exit; 0: it runs */
    uint32_t threads; /* number of running threads, as far as known */
    /* Approximate bytes of maps and names it added; halved each time that memory is freed. */
    size_t added;
    bool leaderless; /* the main thread (its tid is the pid) has exited */
};

/* {0} is empty: only thread 0, "swapper", has a name. */
struct procmaps {
    /* Treat huge pages to which a program moved its own code (node --use-largepages) as part of its
     * file. perf treats them as JIT-compiled code. */
    bool keeps_files;

    size_t limit; /* bytes for maps and the names of DSOs; 0: unlimited */
    /* Return true if a process or thread with that id runs now. Others are forgotten even if the
     * record of their exit was lost. NULL: unknown. */
    bool (*runs)(int32_t id);
    /* Called when DSOs that no process maps any more were forgotten. The others have new numbers:
     * numbers[old], INTERN_NONE if it was forgotten. Their names have moved, too. May be NULL. */
    void (*renumbered)(void *ctx, const uint32_t *numbers, size_t count);
    void *ctx;
    size_t forgotten;      /* number of processes whose maps were forgotten because of the limit */
    int32_t forgotten_pid; /* the first of them */

    /* private */
    struct intern dsos, comms;
    struct intern ids; /* pids and tids as bytes; the number of an id is its index in `tasks` */
    struct proctask {
        uint32_t comm;          /* number in `comms` plus 1; 0: no name */
        uint64_t exit;          /* the number of its exit; 0: it runs */
        struct procspace space; /* if it is a process */
    } * tasks;
    size_t cap;
    size_t old;     /* count of forgotten tasks that still take an entry of `tasks` */
    size_t checked; /* number of tasks at the last check of which ones run */
    struct procexit {
        uint64_t number;
        int32_t pid, tid;
    } * exited; /* the last exits: exit n is at n % PROCMAPS_EXITED; NULL: there was none */
    uint64_t exits;
    uint64_t versions;
    struct mapnodes nodes;
    struct text key; /* scratch: key of the DSO looked up last */
};

/* Add a map to a process's address space. Names and build-ids are copied. A map beyond the last
 * address is cut there. Return the number of its DSO; INTERN_NONE for an empty map, which is
 * ignored. */
uint32_t procmaps_map(struct procmaps *p, int32_t pid, const struct procmap *map);

/* Return true if this is the name of a map of anonymous memory: "//anon", "[heap]", ... */
bool procmaps_is_anonymous(struct span name);

/* Give a process's address space a new version: call this if the names of its code have changed,
 * but not its maps. */
void procmaps_touch(struct procmaps *p, int32_t pid);

/* Apply a FORK record. A thread of the same process (pid == ppid) shares its maps. A new process
 * gets a copy of the parent's, or none if the record is `synthesized` (misc bit 13: perf wrote it
 * for a task that was already running; its MMAP records follow). The thread gets its parent's
 * name. */
void procmaps_fork(struct procmaps *p, int32_t pid, int32_t ppid, int32_t tid, int32_t ptid,
                   bool synthesized);

/* Apply an EXIT record of a thread. */
void procmaps_exit(struct procmaps *p, int32_t pid, int32_t tid);

/* Apply a COMM record, of an exec or not. The name is copied. */
void procmaps_comm(struct procmaps *p, int32_t tid, struct span name);

/* Return the thread's current name; ":TID" if no record named it. Valid until the next record. */
struct span procmaps_thread(struct procmaps *p, int32_t tid);

/* Return the address space of a process; NULL if no record gave it a map. Valid until the next
 * procmaps_map, procmaps_fork, procmaps_comm, procmaps_thread or procmaps_exit. */
const struct procspace *procmaps_space(const struct procmaps *p, int32_t pid);

/* Return the map at an address of the space, which may be NULL; NULL if there is none. Valid as
 * long as the space. */
const struct map *procmaps_find(const struct procspace *space, uint64_t addr);

/* Return the DSO with a number. Numbers are assigned from 0 in order of appearance, below
 * p->dsos.count. A file has one number for each build-id. The spans are valid until p->renumbered
 * is called. */
struct dso procmaps_dso(const struct procmaps *p, uint32_t number);

void procmaps_free(struct procmaps *p);

#endif

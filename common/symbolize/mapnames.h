/* Names from perf maps of processes that have ended. A map is a file that the user named for a
 * process, a file in a folder that the user named, a file in /tmp, where programs write it, or a
 * part of the recording. */
#ifndef SYMBOLIZE_MAPNAMES_H
#define SYMBOLIZE_MAPNAMES_H

#include "common/base/diag.h"
#include "common/base/intern.h"
#include "common/event/ownrecord.h"
#include "common/sym/perfmap.h"
#include "common/sym/perftree.h"
#include "common/symbolize/jitnames.h"

/* A process with a map. One struct of this type, mapnames.without_map, stands for all processes
 * without a map. */
struct mapnames_process {
    const char *path; /* of the map; NULL: these processes have no map */
    struct perfmap map;
    struct perftree tree; /* in place of `map`, for the names that perf prints */
    struct span dso;      /* DSO of the frames that get a name from the map */
    uint32_t serial;      /* number of the map; another one when the process begins a new map */
    bool kept;            /* the map is in the recording, with times */
    /* Numbers of different places that needed a name. found: the map has a name; missing: the map
     * has none, but the place is in memory of JIT-compiled code; astray: the map has none, and the
     * place is in no known memory. The latter may not be code: unwinding without frame pointers
     * also yields other addresses. */
    uint64_t found, missing, astray;
    uint64_t reused; /* places among `found` where code had replaced other code */
    bool has_samples;
};

struct mapnames {
    struct jitnames names; /* the interface */

    /* Set by the caller before the first lookup: */
    const char *dir; /* folder to search for the maps of other processes; NULL: none */
    bool as_perf;    /* find the names that perf finds, see perftree.h */
    bool searches;   /* also search where programs write maps: "/tmp/perf-42.map" */

    /* private from here */
    struct diag *diag;
    size_t given;                 /* number of maps from mapnames_give */
    struct intern pids;           /* as bytes of an int64_t */
    struct intern tried;          /* pids whose map was searched where programs write it */
    struct intern unread;         /* pids whose map exists, but was not read */
    struct mapnames_process **of; /* indexed by number in `pids` */
    size_t of_cap;
    uint32_t serials;
    bool grew; /* lines came since the last advance() */
    struct mapnames_process without_map;
    int64_t unmapped;     /* pid of a process without a map, with unnamed JIT frames; -1: none */
    struct arena arena;   /* processes and paths */
    uint64_t samples;     /* number of calls of mapnames_see */
    uint64_t thread_only; /* number of these calls with `thread_only` */
};

/* Begin without any map; borrow diag. */
void mapnames_init(struct mapnames *n, struct diag *diag);

/* Load the map of a process; borrow the path. If the file cannot be read, print an error. A later
 * map for the same pid replaces an earlier one. */
void mapnames_give(struct mapnames *n, int64_t pid, const char *path);

/* Add lines of a process's map from the recording; they name code from now on. This map is
 * preferred to other maps of the process, except one from mapnames_give. */
void mapnames_take_lines(struct mapnames *n, const struct maplines *lines);

/* Note that there is a sample of a process. `thread_only`: the sample has no process id, and pid is
 * the id of its thread. */
void mapnames_see(struct mapnames *n, int64_t pid, bool thread_only);

/* Return true if there is a map, or if maps are searched. */
bool mapnames_any(const struct mapnames *n);

/* Return the process whose map lacks the largest number of places in JIT-compiled code, among the
 * maps in files that lack at least a twentieth of the places looked up in them. Such a map was read
 * or copied too early. Return NULL if there is none. */
const struct mapnames_process *mapnames_incomplete(const struct mapnames *n);

/* Print what could not be named, and why. Call this once, at the end. */
void mapnames_explain(const struct mapnames *n);

void mapnames_free(struct mapnames *n);

#endif

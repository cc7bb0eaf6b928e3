/* Names from perf maps of processes that have ended: files named for a process, files in a folder,
 * files where programs write them, and maps in the recording. */
#ifndef SYMBOLIZE_MAPNAMES_H
#define SYMBOLIZE_MAPNAMES_H

#include "common/base/diag.h"
#include "common/base/intern.h"
#include "common/event/ownrecord.h"
#include "common/sym/perfmap.h"
#include "common/sym/perftree.h"
#include "common/symbolize/jitnames.h"

/* A process with a map; one element stands for all processes without one. */
struct mapnames_process {
    const char *path; /* NULL: they have none */
    struct perfmap map;
    struct perftree tree; /* in place of `map`, for the names that perf prints */
    struct span dso;      /* DSO of the frames that get a name from the map */
    uint32_t serial;      /* of the map; changes when the process starts it anew */
    bool kept;            /* the map is in the recording, with times */
    /* Numbers of different places that needed a name: found in the map; missing in it though they
     * are JIT-compiled code; and addresses in no known memory that are not in it. The last kind may
     * not be code, since unwinding without frame pointers yields such addresses too. */
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
    uint64_t thread_only; /* number of these with a thread id only */
};

/* Begin without any map; borrow diag. */
void mapnames_init(struct mapnames *n, struct diag *diag);

/* Load the map of a process; borrow the path. If the file cannot be read, print an error. A later
 * map for the same pid replaces an earlier one. */
void mapnames_give(struct mapnames *n, int64_t pid, const char *path);

/* Add lines of a process's map from the recording; they name code from now on. This map is
 * preferred to other maps of the process, except one from mapnames_give. */
void mapnames_take_lines(struct mapnames *n, const struct maplines *lines);

/* Note that there is a sample of a process. `thread_only`: pid is the id of a thread, used because
 * that of its process is missing. */
void mapnames_see(struct mapnames *n, int64_t pid, bool thread_only);

/* Return true if there is a map, or if maps are searched. */
bool mapnames_any(const struct mapnames *n);

/* Return the process whose map lacks the most JIT frames, if it lacks at least a twentieth of those
 * looked up in it: such a map was read or copied too early. Return NULL if there is none. */
const struct mapnames_process *mapnames_incomplete(const struct mapnames *n);

/* Print what could not be named, and why. Call this once, at the end. */
void mapnames_explain(const struct mapnames *n);

void mapnames_free(struct mapnames *n);

#endif

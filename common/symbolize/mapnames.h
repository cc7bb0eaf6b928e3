/* Names from perf maps that are read once, or that a recording has: one that was given for a process,
 * one of a folder, one where programs write them. */
#ifndef SYMBOLIZE_MAPNAMES_H
#define SYMBOLIZE_MAPNAMES_H

#include "common/base/diag.h"
#include "common/base/intern.h"
#include "common/event/ownrecord.h"
#include "common/sym/perfmap.h"
#include "common/sym/perftree.h"
#include "common/symbolize/jitnames.h"

/* A process that has a map, or all processes that have none. */
struct mapnames_process {
    const char *path; /* NULL: they have none */
    struct perfmap map;
    struct perftree tree; /* in its place, for the names that perf prints */
    struct span dso;      /* of the frames that get a name from the map */
    uint32_t serial;      /* of the map; another one once the process began it again */
    bool kept;            /* the map is in the recording, with times */
    /* Different places without a name: found in the map; JIT-compiled code that is not in it; and
     * addresses in no known memory that are not in it. The last kind need not be JIT-compiled code,
     * since an unwinder without frame pointers gives such addresses too. */
    uint64_t found, missing, astray;
    uint64_t reused; /* of those found: where code was put in the place of other code */
    bool has_samples;
};

struct mapnames {
    struct jitnames names; /* the interface */

    /* Set by the caller before the first question: */
    const char *dir; /* where maps of further processes are looked for; NULL: nowhere */
    bool as_perf;    /* names as perf finds them, see perftree.h */
    bool searches;   /* look for maps also where programs write them, "/tmp/perf-42.map" */

    /* private from here */
    struct diag *diag;
    size_t given;                 /* maps of mapnames_give */
    struct intern pids;           /* as bytes of an int64_t */
    struct intern tried;          /* pids whose map was looked for at its usual place */
    struct intern unread;         /* pids whose map is there, but was not read */
    struct mapnames_process **of; /* by a pid's number */
    size_t of_cap;
    uint32_t serials;
    bool grew; /* lines came since the last advance() */
    struct mapnames_process without_map;
    int64_t unmapped;   /* a process of those, with JIT frames without a name; -1: none */
    struct arena arena; /* processes and paths */
    uint64_t samples;   /* of mapnames_see */
    uint64_t thread_only;
};

/* Begin without any map; borrow diag. */
void mapnames_init(struct mapnames *n, struct diag *diag);

/* Load the map of a process; borrow the path. If the file cannot be read, print an error. A later
 * map for the same pid replaces the earlier. */
void mapnames_give(struct mapnames *n, int64_t pid, const char *path);

/* Add lines of the map of a process that the recording has, which name code from now on. It is taken
 * before other maps of that process, but for those of mapnames_give. */
void mapnames_take_lines(struct mapnames *n, const struct maplines *lines);

/* Note that there is a sample of a process. `thread_only`: it is the id of a thread, taken for that of
 * its process. */
void mapnames_see(struct mapnames *n, int64_t pid, bool thread_only);

/* Return false if there is no map, and none is looked for. */
bool mapnames_any(const struct mapnames *n);

/* Return the process with a map that lacks the most JIT frames, if it lacks a twentieth of those
 * that were looked up in it: such a map was read or copied too early. NULL: there is none. */
const struct mapnames_process *mapnames_incomplete(const struct mapnames *n);

/* Print what could not be named, and why. Call it once, at the end. */
void mapnames_explain(const struct mapnames *n);

void mapnames_free(struct mapnames *n);

#endif

/* Names from perf maps: JIT frames without a name, of perf script text or of perf.data, get the one
 * that the map of their process has for the address. */
#ifndef SYMBOLIZE_NAMING_H
#define SYMBOLIZE_NAMING_H

#include "common/base/diag.h"
#include "common/base/text.h"
#include "common/event/ownrecord.h"
#include "common/stack/model/frametab.h"
#include "common/stack/model/sample.h"
#include "common/sym/perfmap.h"
#include "common/sym/perftree.h"

/* A process that has a map, or all processes that have none. */
struct naming_process {
    const char *path; /* NULL: they have none */
    struct perfmap map;
    struct perftree tree; /* in its place, for the names that perf prints */
    struct span dso;      /* of the frames that get a name from the map */
    /* By the number of a frame without a name: the frame with its name, and the process's `version`
     * plus 1 when it was looked up; version 0: it was not. */
    struct naming_frame {
        uint32_t frame, version;
        bool doubtful; /* other code was at the address before, or came later */
    } * named;
    size_t cap;
    uint32_t version; /* grows when the map does */
    bool kept;        /* the map is in the recording, with times */
    /* Different frames without a name: found in the map; JIT frames that are not in it; and frames
     * in no known memory ("[unknown]" as DSO) that are not in it. The last kind need not be JIT
     * frames, since an unwinder without frame pointers gives such addresses too. */
    uint64_t found, missing, astray;
    uint64_t reused; /* of those found: where code was put in the place of other code */
    bool has_samples;
};

struct naming {
    /* Set by the caller before the first sample: */
    const char *dir; /* where maps of further processes are looked for; NULL: nowhere */
    bool as_perf;    /* names as perf finds them, see perftree.h */
    /* The input is perf.data: a frame without a name whose DSO is "/tmp/perf-42.map" gets the name
     * from that file, unless another map was given for the process. */
    bool from_dso;

    /* private from here */
    struct diag *diag;
    struct frametab *frames;
    uint32_t generation;        /* of the frames */
    size_t given;               /* maps of naming_add_map */
    struct intern pids;         /* as they are printed */
    struct intern tried;        /* pids whose map was looked for at its usual place */
    struct intern unread;       /* pids whose map is there, but was not read */
    struct naming_process **of; /* by a pid's number */
    size_t of_cap;
    struct naming_process without_map;
    struct span unmapped; /* a process of those, with JIT frames without a name; empty: none */
    uint32_t *stack;      /* of the current sample */
    size_t stack_cap;
    struct arena arena;   /* processes and paths */
    uint64_t samples;     /* that were looked at */
    uint64_t doubtful;    /* of them, with a name that is that of the newest code at an address */
    uint64_t thread_only; /* of them, have no process id */
};

/* Begin without any map; borrow both. */
void naming_init(struct naming *n, struct diag *diag, struct frametab *frames);

/* Load the map of a process; borrow the pid and the path. If the file cannot be read, print an
 * error. A later map for the same pid replaces the earlier. */
void naming_add_map(struct naming *n, struct span pid, const char *path);

/* Add lines of the map of a process that the recording has, which name code from now on. It is taken
 * before other maps of that process, but for those of naming_add_map. */
void naming_take_lines(struct naming *n, const struct maplines *lines);

/* Replace the sample's JIT frames without a name by frames with the name from the map, which are
 * added to the frametab. The array is valid until the next call. */
void naming_apply(struct naming *n, struct sample *s);

/* Return the process with a map that lacks the most JIT frames, if it lacks a twentieth of those
 * that were looked up in it: such a map was read or copied too early. NULL: there is none. */
const struct naming_process *naming_incomplete(const struct naming *n);

/* Return how many samples have a frame at an address where a map without times has several
 * functions, of which it got the newest name. */
uint64_t naming_doubtful(const struct naming *n);

/* Print what could not be named, and why. Call it once, at the end. */
void naming_explain(const struct naming *n);

#endif

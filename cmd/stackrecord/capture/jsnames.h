/* Names of JavaScript functions of processes that run and were started without an option for that: they
 * are read from the memory of node (common/v8), as soon as a sample leaves its ring buffer, since V8
 * moves and drops functions all the time. A rawsink that passes all records on. It follows the frame
 * pointers in each sample's copy of the stack, and adds records of our own that say from when on an
 * address has a name: OWN_CODE and OWN_TRAMPOLINE, see ownrecord.h. What makes frames of samples later
 * needs no memory of any process.
 *
 *     jsnames_init(...), then all records go to its sink
 *     jsnames_resolve(), each time that the ring buffers are empty
 *     jsnames_free()
 *
 * A process that has a perf map or a jitdump gets its names from there (liveprocs.h). */
#ifndef STACKRECORD_JSNAMES_H
#define STACKRECORD_JSNAMES_H

#include "cmd/stackrecord/capture/liveprocs.h"
#include "common/base/diag.h"
#include "common/base/vec.h"
#include "common/stage/sink.h"
#include "common/stage/threadtable.h"
#include "common/sym/procmaps.h"

struct jsnames {
    struct rawsink sink;

    /* private from here */
    struct rawsink *to;
    const struct eventset *events;
    struct liveprocs *live;
    struct diag *diag;
    size_t memory;         /* bytes for the names of one process */
    size_t size;           /* bytes that those of all processes take */
    uint64_t second, used; /* nanoseconds for reading names in the second that began then */
    struct procmaps maps;
    struct threadtable known;       /* of struct known: processes that were sampled, by pid */
    VEC(struct jsproc *) waiting;   /* those with frames that were collected */
    VEC(struct v8program *) of_dso; /* by number of the DSO in `maps`; NULL: not looked at yet */
    bool has_new;                   /* functions without a known name were met in the last turn */
    struct text record;
};

/* Return the sink. Borrow all. `memory`: bytes for what is known of a process, above which it is read
 * anew; of all together, four times as much. */
struct rawsink *jsnames_init(struct jsnames *j, const struct eventset *events,
                             struct liveprocs *live, struct diag *diag, size_t memory,
                             struct rawsink *to);

/* Read the names of what the samples since the last call ran, and pass them on as records. Takes as
 * long as the processes take to answer, see helper.h, and a fifth of each second, about; processes that
 * take little may take another fifth. What is not read then has no name. */
void jsnames_resolve(struct jsnames *j);

/* Return true if functions without a known name were met lately: their samples should be taken soon,
 * before V8 moves or drops them. */
bool jsnames_are_new(const struct jsnames *j);

void jsnames_free(struct jsnames *j);

#endif

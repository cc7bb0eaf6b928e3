/* Read the names of JavaScript functions from the memory of running node processes (common/v8),
 * which need no option for that. They are read as soon as a sample leaves its ring buffer, since V8
 * moves and drops functions all the time.
 *
 * This is a rawsink that passes all records on. It follows the frame pointers in each sample's copy
 * of the stack, and adds records of our own, OWN_CODE and OWN_TRAMPOLINE (ownrecord.h): they say
 * from when on a range of addresses has a name. So the stages that make frames of samples later
 * need no memory of any process.
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
    size_t memory;         /* limit in bytes for the names of one process */
    bool inlined;          /* inlined calls are wanted */
    bool busy;             /* passing records of names on, in the middle of other work */
    size_t size;           /* bytes that the names of all processes take */
    uint64_t second, used; /* `used`: nanoseconds of reading names since `second` began */
    struct procmaps maps;
    struct threadtable known;       /* of struct known: processes that were sampled, by pid */
    VEC(struct jsproc *) waiting;   /* processes with frames that were collected */
    VEC(struct v8program *) of_dso; /* by number of the DSO in `maps`; NULL: not looked at yet */
    bool has_new;                   /* new scripts were met in the last call */
    uint64_t resolved;              /* when names were read last; 0: never */
    uint64_t found;                 /* when a process with V8 was found last; 0: never */
    struct text record;
};

/* Return the sink. Borrow all pointers. `memory`: a limit in bytes of what is known of one process,
 * above which all of it is forgotten and read anew. The limit for all processes together is twice
 * as high. `inlined`: read also which calls V8 inlined. */
struct rawsink *jsnames_init(struct jsnames *j, const struct eventset *events,
                             struct liveprocs *live, struct diag *diag, size_t memory, bool inlined,
                             struct rawsink *to);

/* Read the names of the functions in the samples since the last call, and pass them on as records.
 * Wait for the processes to answer (helper.h), for about a fifth of each second in all; processes
 * that take little time may take another fifth. Functions that were not read by then have no
 * name. If a process did not answer in time, return, so that the ring buffers are emptied: the names
 * of the others are read in the next call. Do nothing and return false if called while a record of a
 * name is passed on. */
bool jsnames_resolve(struct jsnames *j);

/* Return true if a process with V8 was found less than `age` nanoseconds ago. */
bool jsnames_begins(const struct jsnames *j, uint64_t age);

/* Return after how many milliseconds samples should be fetched again at the latest, before V8 moves or
 * drops the functions in them: 10 while it loads scripts or was just found, 100 while it runs; 0: at
 * any time. Of
 * TypeScript checking itself, at 99 Hz, 99.7 to 99.9 % of the frames have names with 100 ms, as with 50,
 * which take a third more processor time. With 250 ms, 97.8 % have names. */
int jsnames_round_ms(const struct jsnames *j);

void jsnames_free(struct jsnames *j);

#endif

/* Reads the names of JavaScript functions from the memory of running node processes (common/v8),
 * which need no option for that. The names of a sample's functions are read as soon as the sample
 * has left its ring buffer, since V8 moves and drops functions all the time.
 *
 * This is a rawsink that passes all records on. It follows the frame pointers in each sample's copy
 * of the stack, and adds our own records OWN_CODE, OWN_INLINED, OWN_SRCLINES and OWN_TRAMPOLINE
 * (ownrecord.h), which say from which time on a range of addresses has a name. So the later stages,
 * which make frames of samples, need not read the memory of any process.
 *
 *     jsnames_init(...), then send all records to the sink that it returns
 *     jsnames_resolve(), each time after the ring buffers were emptied
 *     jsnames_free()
 *
 * The names of a process that has a perf map or a jitdump are taken from that file instead
 * (liveprocs.h). */
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
    bool lines;            /* source lines are wanted */
    bool busy;             /* a record is being looked at, or names are being read */
    size_t size;           /* bytes that the names of all processes take */
    uint64_t second, used; /* when the current second began, and the cost of names in it (ns) */
    struct procmaps maps;
    struct threadtable known;       /* of struct known, by pid: processes that were sampled */
    VEC(struct jsproc *) waiting;   /* processes with collected frames that have no names yet */
    VEC(struct v8program *) of_dso; /* by number of the DSO in `maps`; NULL: not looked at yet */
    bool has_new;                   /* the last jsnames_resolve() has found new scripts */
    uint64_t resolved;              /* when names were last read; 0: never */
    uint64_t found;                 /* when a process with V8 was last found; 0: never */
    struct text record;
};

/* Initialize and return the sink. All pointers are borrowed. `memory`: limit in bytes for what is
 * known of one process; if more is needed, all of it is forgotten and read anew. The limit for all
 * processes together is twice as high. `inlined`: read also which calls V8 has inlined. `lines`:
 * read also the source lines. */
struct rawsink *jsnames_init(struct jsnames *j, const struct eventset *events,
                             struct liveprocs *live, struct diag *diag, size_t memory, bool inlined,
                             bool lines, struct rawsink *to);

/* Read the names of the functions in the samples since the last call, and pass the names on as
 * records. In each second this may cost a fifth of a second for all processes together; those that
 * have used little of it may use a fifth more. Functions that were not read in that time have no
 * name. If a process does not answer in time (helper.h), return, so that the ring buffers can be
 * emptied, and leave the other processes to the next call. Do nothing and return false if this is
 * called while the record of a name is being passed on; else return true. */
bool jsnames_resolve(struct jsnames *j);

/* Return true if a process with V8 was found less than `age` nanoseconds ago. */
bool jsnames_begins(const struct jsnames *j, uint64_t age);

/* Return the longest time in milliseconds until the ring buffers should be emptied again, so that
 * V8 has not yet moved or dropped the functions in the samples: 10 while a process loads scripts,
 * and from when one is found until its first names are read, but at most for a second; 100 while
 * processes run JavaScript; 0 if there is no limit.
 *
 * Why 100: when TypeScript checked its own source, sampled at 99 Hz, 99.7 to 99.9 % of the frames
 * got names with 100 ms. With 50 ms as many did, but that takes a third more processor time. With
 * 250 ms, 97.8 % did. */
int jsnames_round_ms(const struct jsnames *j);

void jsnames_free(struct jsnames *j);

#endif

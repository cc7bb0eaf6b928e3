/* The recorded threads: a rawsink that passes all records on, and adds our own records about
 * threads (ownrecord.h):
 *
 *     for --off-cpu and --wall
 *         when the counters were started and stopped
 *     for --wall
 *         four times a second, for each thread that has waited since: how long it was runnable
 *             without a CPU so far
 *         at the end: the same for all threads, and the stacks of threads that waited all the time
 *     for --wall with --turns
 *         four times a second: which threads are stopped
 *         the states of event loops: see `loops` below */
#ifndef STACKRECORD_THREADS_H
#define STACKRECORD_THREADS_H

#include "common/base/text.h"
#include "common/machine/target.h"
#include "common/stage/sink.h"
#include "common/stage/threadtable.h"

enum { THREADS_LOOPS_MS = 10 }; /* interval of reading event loops */

struct threads {
    struct rawsink sink;
    /* For --turns; set these after threads_init(). `turns`: record which threads are stopped, and,
     * at the beginning, the states of the event loops of processes that run already. `loops`:
     * record the states of event loops all the time, since tracepoints for turns are missing. */
    bool turns, loops;

    /* private from here */
    struct rawsink *to;
    const struct eventset *events;
    bool wall;
    bool has_tasks;           /* only processes or threads are recorded, which run already */
    unsigned flags;           /* what is recorded: OWN_OTHERS, OWN_THREADS, OWN_CGROUP */
    struct numbers ids;       /* with OWN_THREADS: the recorded threads; borrowed */
    struct intern kept;       /* with OWN_OTHERS: the recorded processes or threads, as bytes */
    struct threadtable table; /* of struct thread */
    uint64_t rounds;          /* number of the current round (capture.h), from 1 on */
    size_t next;              /* index in `table` of the thread to read next */
    uint64_t asked;           /* time of the last read of threads: nanoseconds of CLOCK_MONOTONIC */
    uint64_t looked;          /* time of the last read of loops */
    struct text file, record;
};

/* Initialize and return the sink; everything is borrowed. `others`: tasks that are not wanted are
 * recorded, too, so records of their starts will come. `wall`: with --wall. */
struct rawsink *threads_init(struct threads *t, const struct eventset *events,
                             const struct target *target, bool others, bool wall,
                             struct rawsink *to);

/* Add the record of the beginning: call this before the first record. The counters start at `time`
 * or later. */
void threads_begin(struct threads *t, uint64_t time);

/* Add the records of the end. `time` is when the counters were stopped; the ring buffers must be
 * empty. Return the number of threads whose stacks could not be read in time. */
size_t threads_stop(struct threads *t, uint64_t time);

#endif

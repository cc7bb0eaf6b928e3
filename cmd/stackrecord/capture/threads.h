/* The recorded threads: a rawsink that passes all records on, and adds our own records
 * (ownrecord.h). For --off-cpu: when the counters were started and stopped. For --wall also: four
 * times a second, how long each thread that has waited was runnable without a CPU so far, and with
 * turns, which threads are stopped; and at the end, the stacks of threads that have waited all the
 * time. */
#ifndef STACKRECORD_THREADS_H
#define STACKRECORD_THREADS_H

#include "common/base/text.h"
#include "common/machine/target.h"
#include "common/stage/sink.h"
#include "common/stage/threadtable.h"

enum { THREADS_LOOPS_MS = 10 }; /* interval of reading event loops */

struct threads {
    struct rawsink sink;
    /* For --turns; set these after threads_init(). `turns`: record which threads are stopped.
     * `loops`: record the state of event loops, since the tracepoints for that are missing; else
     * only that of existing processes at the beginning. */
    bool turns, loops;

    /* private from here */
    struct rawsink *to;
    const struct eventset *events;
    bool wall;
    bool has_tasks;           /* single processes or threads are recorded, which run already */
    unsigned flags;           /* recorded tasks: OWN_OTHERS and the like */
    struct numbers ids;       /* with OWN_THREADS, those threads; borrowed */
    struct intern kept;       /* with OWN_OTHERS, the recorded processes or threads, as bytes */
    struct threadtable table; /* of struct thread */
    uint64_t rounds;          /* number of rounds plus 1 */
    size_t next;              /* next thread to read */
    uint64_t asked;           /* time of the last read of threads: nanoseconds of CLOCK_MONOTONIC */
    uint64_t looked;          /* time of the last read of loops */
    struct text file, record;
};

/* Initialize and return the sink; everything is borrowed. `others`: records of the starts of other
 * tasks come too. `wall`: for --wall. */
struct rawsink *threads_init(struct threads *t, const struct eventset *events,
                             const struct target *target, bool others, bool wall,
                             struct rawsink *to);

/* Call this before the first record. The counters start at `time` or later. */
void threads_begin(struct threads *t, uint64_t time);

/* Call when the counters were stopped at that time, and the ring buffers are empty. Return the
 * number of threads whose stacks could not be read in time. */
size_t threads_stop(struct threads *t, uint64_t time);

#endif

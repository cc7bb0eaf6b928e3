/* The threads that are recorded: a rawsink that passes all records on, and adds records of our own
 * (ownrecord.h). For --off-cpu: when the counters began and were stopped. For --wall also: four times
 * a second how long each thread that has waited was ready without a CPU so far, and with turns which
 * threads are stopped; and at the end the stacks of threads that have waited all the time. */
#ifndef STACKRECORD_THREADS_H
#define STACKRECORD_THREADS_H

#include "cmd/stackrecord/capture/target.h"
#include "common/base/text.h"
#include "common/stage/sink.h"
#include "common/stage/threadtable.h"

enum { THREADS_LOOPS_MS = 10 }; /* between two looks at event loops */

struct threads {
    struct rawsink sink;
    /* For --turns; to be set after threads_init(): which threads are stopped and, without the right
     * tracepoints, what event loops do; else what those of the processes do at the beginning. */
    bool turns, loops;

    /* private from here */
    struct rawsink *to;
    const struct eventset *events;
    bool wall;
    bool has_tasks;     /* single processes or threads are recorded, which run already */
    unsigned flags;     /* which tasks are recorded: OWN_OTHERS and the like */
    struct numbers ids; /* with OWN_THREADS those threads; borrowed */
    struct intern kept; /* with OWN_OTHERS the processes or threads that are recorded, as bytes */
    struct threadtable table; /* of struct thread */
    uint64_t rounds;          /* and one */
    size_t next;              /* thread to ask about */
    uint64_t asked;           /* when: nanoseconds of CLOCK_MONOTONIC */
    uint64_t looked;          /* the same of what loops do */
    struct text file, record;
};

/* Set up the sink. Borrow all. `others`: the records of other tasks' starts come too. `wall`: for --wall. */
struct rawsink *threads_init(struct threads *t, const struct eventset *events,
                             const struct target *target, bool others, bool wall,
                             struct rawsink *to);

/* The counters began to count then, or later: to be called before the first record. */
void threads_begin(struct threads *t, uint64_t time);

/* The counters were stopped then, and the ring buffers are empty. Return how many threads' stacks could
 * not be read in time. */
size_t threads_stop(struct threads *t, uint64_t time);

#endif

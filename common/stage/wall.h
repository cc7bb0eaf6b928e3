/* --wall: what threads do with all of their time. This sink consumes samples of running threads,
 * samples at switches, and the SWITCH records that say when a thread starts and stops running. It
 * passes on samples of the event "wall", whose period is in microseconds. All other records pass
 * unchanged.
 *
 * Each stretch of a thread's time is attributed to one stack:
 *
 *     on a CPU      the stack of the thread's next sample. The kernel takes a sample when the
 *                   thread has run for one period in total, even if it was switched out
 *                   meanwhile. If the thread or the recording ends before the next sample: the
 *                   stack at which the thread was switched out after its longest run since the
 *                   last sample.
 *     not on a CPU  the stack with which the thread was switched out
 *
 * For example, a thread is switched in at 1 s, sampled with stack A at 1.010 s, switched out with
 * stack B at 1.012 s, and switched in again at 2 s. Then A gets 10,000 us and B gets 988,000 us.
 * The 2,000 us before the switch are attributed to a stack at the thread's next sample.
 *
 * A wait is followed by a delay: from the time when the thread is woken to the time when it gets a
 * CPU. No record says when a thread is woken, so at first the delay counts as part of the wait. But
 * the kernel counts for each thread how long it was runnable without a CPU. A recording of
 * stackrecord has these counts of all threads, read at the same time, four times a second
 * (OWN_QUEUED in ownrecord.h). A count also contains the times without a CPU after preemptions,
 * which are known from the records. The rest of its increase since the previous count is the sum
 * of the delays. It is moved from "waiting" to "ready", in equal parts for each wait since the
 * previous count.
 *
 * If records were lost, the time that they would have described is attributed to the thread's last
 * known activity, so that the thread's total is still right. Times are added up by thread and
 * stack. The sums are passed on once a second of the records' time; also when they take much
 * memory, and before the thread's process ends or changes its names or maps.
 *
 * A turn is one pass of a thread's event loop: from the return of a system call that waits for
 * events to the next such call (boundary.h). If turns were requested, the times of a thread in a
 * turn are added up separately from all others. At the end of a turn that took long enough, its
 * sums are passed on, with the end of the turn as the time of the samples. After them comes a
 * sample of the event "turn": its period is the duration of the turn in microseconds, and its text
 * says how the turn ended. The sums of a shorter turn are added to the common sums.
 *
 * When a turn begins, the time on a CPU that has no stack yet is kept separate from that of the
 * turn. When a turn ends, time on a CPU that has no stack yet is attributed to the stack at which
 * the thread was switched out after its longest run since the turn's last sample. If it was
 * not switched out since then, the time is attributed to the stack of that sample. A turn that has
 * ended is kept until the kernel's next counts come, so that delays can be moved out of its waits,
 * too. If records were lost, the sums of turns that are in progress are added to the common sums,
 * and these turns are not passed on.
 *
 * The recording must have the software event context-switches, with a sample at every switch, and
 * SWITCH records (FLAG_CONTEXT_SWITCH). It should also have an event that samples running threads
 * at a fixed rate, such as cpu-clock. Without it, time on a CPU is attributed to the stack with
 * which the thread was switched out. A recording of perf may have sched:sched_switch instead of
 * context-switches. It has none of our own records (ownrecord.h), so the time of each thread begins
 * with the thread's first record. */
#ifndef STAGE_WALL_H
#define STAGE_WALL_H

#include "common/base/vec.h"
#include "common/stage/boundary.h"
#include "common/stage/stacktime.h"
#include "common/stage/threadtable.h"

struct wall {
    struct recordsink sink;
    struct session session; /* its events are "wall" and "turn": for the consumer of the records */

    /* True if the records do not say when threads stop and run again. Then `session` has no event,
     * and the caller must not pass any record to the sink. */
    bool refused;
    uint64_t too_short;  /* waits left out because they were shorter than `least` */
    uint64_t cut_turns;  /* turns left out because records were lost in them */
    bool has_boundaries; /* the records say when turns begin and end */
    bool exact;          /* tracepoints say exactly when; false: only OWN_LOOP records */

    /* private from here */
    uint32_t switches; /* number of the event that has a sample at each switch */
    uint64_t began,
        ended;         /* when the counters were started and stopped; 0: no record says so yet */
    unsigned flags;    /* OWN_OTHERS and the like */
    uint32_t recorder; /* pid of the recorder, whose own turns are ignored; or 0 */
    uint64_t least;    /* shortest wait that is counted, in nanoseconds */
    uint64_t turn;     /* shortest turn that is passed on, in nanoseconds; 0: no turns */
    enum boundary *boundaries; /* indexed by event number */
    VEC(struct wall_turn) held;
    struct text text; /* buffer */
    size_t apart;     /* number of sums that are kept for single turns, in progress or `held` */
    bool counts;      /* the records contain the kernel's counts (OWN_QUEUED) */
    struct stacktime sums;
    uint64_t now, flushed;      /* latest time of a record; time when sums were last passed on */
    struct threadtable threads; /* of struct wall_thread */
    bool has_new_counts;        /* OWN_QUEUED records have come since delays were last moved */
    uint64_t taken;             /* number of records since delays were last moved */
};

/* Set up the sink for the records of `session`, to pass on to `next`. Borrow both. Waits shorter
 * than `least` microseconds are left out. Turns of at least `turn` milliseconds are passed on; none
 * if that is 0. */
void wall_init(struct wall *w, const struct session *session, struct recordsink *next,
               uint64_t least, uint64_t turn);

void wall_free(struct wall *w);

#endif

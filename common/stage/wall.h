/* --wall: what threads do with all of their time. This sink consumes samples of running threads,
 * samples at switches, and the SWITCH records that say when a thread starts and stops running. It
 * passes on samples of the event "wall", whose period is microseconds. All other records pass
 * unchanged.
 *
 * Each moment of a thread is attributed to one stack. The time on a CPU since a thread's last
 * sample is attributed to the next one: the kernel samples a thread whenever it has run for one
 * period, however often it was switched meanwhile. If the thread or the recording ends before the
 * next sample, the time is attributed to the stack at which the thread was switched out after its
 * longest run since the last sample. The time off CPU is attributed to the stack with which the
 * thread was switched out.
 *
 * A thread that is switched in at 1 s, sampled with stack A at 1.010 s, switched out with stack B
 * at 1.012 s and switched in again at 2 s gives A 10,000 us and B 988,000; 2,000 wait for its next
 * sample.
 *
 * No record says when a waiting thread is woken. But the kernel counts the time in which each
 * thread was runnable and had no CPU. A recording of stackrecord has these counts of all threads,
 * read at the same time, four times a second (OWN_QUEUED in ownrecord.h). The delay that was not
 * preemption is moved out of the waits since the previous count, in equal parts.
 *
 * If records were lost, a thread's time is attributed to its last known activity: the thread's
 * total stays right. Times are added up by thread and stack. The sums are passed on once a second
 * of the records' time, when they take much memory, and before the thread's process changes its
 * names or maps, or ends.
 *
 * With turns, a thread in a turn of its event loop (boundary.h) has separate sums. When a turn ends
 * that took long enough, its sums are passed on with the turn's end as their time, followed by a
 * sample of the event "turn", whose period is the turn's microseconds, and whose text says how the
 * turn ended. The sums of shorter turns are added to the common ones. At the beginning of a turn,
 * the time on a CPU that has no stack yet is set aside, too. At the end of a turn, such time is
 * attributed to the stack after the longest run in the turn or, if the thread was not switched out,
 * to the last sample. A turn is held until the next counts come, so that its waits get their share
 * of the delays. If records were lost, turns that are in progress are dropped.
 *
 * The events to record are the software event context-switches, every occurrence, with
 * FLAG_CONTEXT_SWITCH, and a clock that is sampled at a rate. Without the clock, time on a CPU is
 * attributed to the stack with which the thread was switched out. Recordings of perf lack only our
 * own records: there a thread's time begins with its first record. Instead of context-switches they
 * may have sched:sched_switch. */
#ifndef STAGE_WALL_H
#define STAGE_WALL_H

#include "common/base/vec.h"
#include "common/stage/boundary.h"
#include "common/stage/stacktime.h"
#include "common/stage/threadtable.h"

struct wall {
    struct recordsink sink;
    struct session session; /* its events are "wall" and "turn": for the consumer of the records */

    /* The records do not say when threads stop and run again: w->session has no event. Pass nothing
     * to the sink then. */
    bool refused;
    uint64_t too_short;  /* waits left out because they were shorter than `least` */
    uint64_t cut_turns;  /* turns left out because records were lost in them */
    bool has_boundaries; /* the records say when turns begin and end */
    bool exact;          /* they do so by tracepoints */

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
    size_t apart;     /* number of sums of turns */
    bool counts;      /* OWN_QUEUED records with a time have come */
    struct stacktime sums;
    uint64_t now, flushed;      /* latest time of a record; when sums were last passed on */
    struct threadtable threads; /* of struct wall_thread */
    bool reads;                 /* OWN_QUEUED records have come since delays were last moved */
    uint64_t taken;             /* records since delays were last moved */
};

/* Set up the sink for the records of `session`, to pass on to `next`. Borrow both. Waits shorter
 * than `least` microseconds are left out. Turns of at least `turn` milliseconds are passed on; none
 * if that is 0. */
void wall_init(struct wall *w, const struct session *session, struct recordsink *next,
               uint64_t least, uint64_t turn);

void wall_free(struct wall *w);

#endif

/* --wall: what threads do with all of their time. A sink of records that takes samples of what runs,
 * samples at switches, and the SWITCH records that say when a thread begins and ceases to run, and
 * passes on samples of an event of its own, "wall", whose period is microseconds. All other records
 * pass.
 *
 * Each moment of a thread belongs to one stack. The time on a CPU since a thread's last sample
 * belongs to the next one: the kernel samples a thread whenever it has run for one period, however
 * often it was switched meanwhile. What is left over when the thread or the recording ends belongs
 * to the stack at which the thread was switched out after its longest run since then, counted from
 * when it was switched in. The time off CPU belongs to the stack with which the thread was switched
 * out.
 *
 * A thread that is switched in at 1 s, sampled with stack A at 1.010 s, switched out with stack B at
 * 1.012 s and switched in again at 2 s gives A 10,000 us and B 988,000; 2,000 wait for its next sample.
 *
 * No record says when a waiting thread is woken. But the kernel counts how long each thread was ready
 * and had no CPU. A recording of stackrecord has these counts, of the same time of all threads, four
 * times a second (OWN_QUEUED in ownrecord.h). What was not preemption is taken from the waits before
 * them, in equal parts.
 *
 * Where records were lost, a thread's time goes to what it was last known to do: its sum is right.
 * Times are added up by thread and stack, and passed on once a second of the records' time, when they
 * take much memory, and before the thread's process changes its names or maps, or ends.
 *
 * With turns, the sums of a thread in a turn of its event loop (boundary.h) are kept apart. When a turn
 * ends that took long enough, they are passed on with its end as their time, and then a sample of the
 * event "turn", whose period is its microseconds; its text says how it ended. Those of shorter turns
 * are added to the others. At the beginning of a turn, the time on a CPU that no stack has yet is kept
 * apart, too; at its end that belongs to the stack after the longest run in the turn or, if the thread
 * was not switched out, to the last sample. A turn whose thread has waited is held until the next
 * counts come, so that its waits have their part of the delays. Where records were lost, what is known
 * of turns that go on is forgotten.
 *
 * The events to record are the software event context-switches, every occurrence, with
 * FLAG_CONTEXT_SWITCH, and a clock that is sampled at a rate: without it the time on a CPU belongs to
 * the stack with which the thread was switched out. Recordings of perf have the same records but for
 * those of our own: there a thread's time begins with its first record. In place of context-switches
 * they may have sched:sched_switch. */
#ifndef STAGE_WALL_H
#define STAGE_WALL_H

#include "common/base/vec.h"
#include "common/stage/boundary.h"
#include "common/stage/stacktime.h"
#include "common/stage/threadtable.h"

struct wall {
    struct recordsink sink;
    struct session session; /* its events are "wall" and "turn": for the consumer of the records */

    /* The records do not say when threads stop and run again: w->session has no event, and nothing is to
     * be passed to the sink. */
    bool refused;
    uint64_t too_short;  /* waits below the least, which were left out */
    uint64_t cut_turns;  /* turns that are not passed on, since records were lost in them */
    bool has_boundaries; /* the records say when turns begin and end: */
    bool exact;          /* by tracepoints */

    /* private from here */
    uint32_t switches; /* number of the event that has a sample at each switch */
    uint64_t began,
        ended;         /* when the counters were started and stopped; 0: no record says so yet */
    unsigned flags;    /* OWN_OTHERS and the like */
    uint32_t recorder; /* the process, or 0: its own turns serve nobody */
    uint64_t least;    /* nanoseconds */
    uint64_t turn;     /* the same of a turn; 0: turns are not kept apart */
    enum boundary *boundaries; /* by the events' numbers */
    VEC(struct wall_turn) held;
    struct text text; /* buffer */
    size_t apart;     /* sums of turns */
    bool counts;      /* OWN_QUEUED records with a time came */
    struct stacktime sums;
    uint64_t now, flushed;      /* the latest time of a record; when sums were passed on */
    struct threadtable threads; /* of struct wall_thread */
    bool reads;                 /* OWN_QUEUED records came, and are not shared out yet */
    uint64_t taken;             /* records since then */
};

/* Set up the sink to pass samples of `session` to `next`; waits shorter than `least` microseconds are
 * left out, and turns of at least `turn` milliseconds are kept apart, if that is not 0. Borrow both. */
void wall_init(struct wall *w, const struct session *session, struct recordsink *next,
               uint64_t least, uint64_t turn);

void wall_free(struct wall *w);

#endif

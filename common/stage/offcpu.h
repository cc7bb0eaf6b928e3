/* --off-cpu: how long threads did not run, and where they waited. A sink of records that takes the
 * samples of switches, which hold the stack of the thread that is switched out, and what says when it
 * runs again, and passes on samples of an event of its own, "off-cpu", whose period is the time in
 * between in microseconds. All other records pass.
 *
 * Times are added up by thread, state and stack, and passed on at each full second of the records'
 * time, and before the thread's process changes its names or maps. A sample's time is then when the
 * last of the waits in it ended; its payload is text: the state in which the thread was switched out,
 * as ps(1) shows it, and whether it still waits at the end of the recording.
 *
 *     1 s: out, state S      2 s: runs again      an "off-cpu" sample of 1,000,000 at 2 s
 *
 * The event is sched:sched_switch or else the software event context-switches, every occurrence, with
 * the callchain if there is to be one. Of the latter no record has the state: it is R where the thread
 * could have run on, else not known. When a thread runs again is in the SWITCH records of an event with
 * FLAG_CONTEXT_SWITCH, or where there is none in the payloads of sched:sched_switch of the whole machine,
 * each of which names the next thread.
 *
 * stackrecord records sched:sched_switch with FLAG_CONTEXT_SWITCH. Without the kernel's part of the
 * stack that needs FLAG_EXCLUDE_CALLCHAIN_KERNEL, since with FLAG_EXCLUDE_KERNEL it never occurs. */
#ifndef STAGE_OFFCPU_H
#define STAGE_OFFCPU_H

#include "common/stage/stacktime.h"
#include "common/stage/threadtable.h"
#include "common/base/load.h"
#include "common/base/vec.h"

struct offcpu {
    struct recordsink sink;
    struct session session; /* its event is "off-cpu": for who takes the records */

    /* When the counters were stopped, in nanoseconds of the records' clock: may be set before `finish`
     * is called. Else that is in a record, OWN_ENDED, or it is when the last record was written. */
    uint64_t ended;

    /* The records do not say when threads run again: nothing is passed on any more but other records.
     * That may also turn out later: see is_whole_machine(). */
    bool refused;
    uint64_t too_short; /* waits below the least, which were left out */
    uint64_t endless;   /* waits that were left out since the records of their ends are missing */

    /* private from here */
    uint64_t least;      /* nanoseconds */
    struct event source; /* whose samples are taken */
    bool has_switches;   /* there are SWITCH records */
    struct offcpu_field {
        uint32_t offset, size; /* in the payload; size 0: there is none */
    } state, prev, next_tid;
    struct stacktime sums;   /* the time off CPU */
    uint64_t now;            /* the latest time of a record */
    bool ending;             /* samples are of threads that still wait */
    struct intern cpus;      /* as bytes */
    VEC(uint32_t) running;   /* the threads that they run now, by their number */
    size_t seen, missed;     /* threads that are switched out with a record, or only without one */
    bool idled, idle_missed; /* the thread of idle CPUs is among the former; the latter */
    struct threadtable threads; /* of struct offcpu_thread */
};

/* Set up the sink to pass samples of `session` to `next`; waits shorter than `least` microseconds are
 * left out. Borrow both. o->refused says if it has no such event. Return NULL, or what is wrong with
 * the format of sched:sched_switch; the sink can be used nevertheless. */
const char *offcpu_init(struct offcpu *o, const struct session *session, struct recordsink *next,
                        uint64_t least);

/* Return true if the record is a sample that is taken. */
bool offcpu_takes(const struct offcpu *o, const struct record *r);

void offcpu_free(struct offcpu *o);

#endif

/* --off-cpu: how long threads did not run, and where they waited. A sink of records that takes the
 * samples of sched:sched_switch, which hold the stack of the thread that is switched out, and the
 * SWITCH records that say when it runs again, and passes on samples of an event of its own,
 * "off-cpu", whose period is the time in between in microseconds. All other records pass.
 *
 * Times are added up by thread, state and stack, and passed on about once a second, and before the
 * thread's process changes its names or maps. A sample's time is then when the last of the waits in
 * it ended; its payload is text: the state in which the thread was switched out, as ps(1) shows it,
 * and whether it still waits at the end of the recording.
 *
 *     1 s: out, state S      2 s: runs again      an "off-cpu" sample of 1,000,000 at 2 s
 *
 * The event to record is sched:sched_switch, every occurrence, with the callchain, the payload, and
 * FLAG_CONTEXT_SWITCH. Without the kernel's part of the stack it needs
 * FLAG_EXCLUDE_CALLCHAIN_KERNEL, since with FLAG_EXCLUDE_KERNEL it never occurs. */
#ifndef STAGE_OFFCPU_H
#define STAGE_OFFCPU_H

#include "common/stage/stacktime.h"
#include "common/base/load.h"

struct offcpu {
    struct recordsink sink;
    struct session session; /* its event is "off-cpu": for who takes the records */

    /* When the counters were stopped, in nanoseconds of the records' clock, CLOCK_MONOTONIC: to be
     * set before `finish` is called. */
    uint64_t ended;

    uint64_t too_short; /* waits below the least, which were left out */

    /* private from here */
    struct recordsink *next;
    uint64_t least;        /* nanoseconds */
    uint64_t switch_event; /* the config of sched:sched_switch */
    uint32_t state_offset; /* of prev_state in its payload */
    uint32_t state_size;   /* 0: there is none */
    struct stacktime sums; /* the time off CPU */
    uint64_t now, flushed; /* the latest time of a record; when sums were passed on */
    bool ending;           /* samples are of threads that still wait */
    struct intern tids;    /* as bytes */
    struct offcpu_thread {
        uint32_t pid, tid;
        struct stack_place place; /* where it was switched out last; the chain is in `words` */
        uint64_t since;           /* when */
        char state;               /* as ps(1) shows it: S, D, R and so on; 0: not known */
        bool waits;
        char *words;
        size_t cap;
    } * threads; /* by the number of their tid */
    size_t threads_cap;
    size_t ended_threads; /* of them; counted again when they were removed */
};

/* Set up the sink to pass samples of `session`, whose events have sched:sched_switch first, to
 * `next`; waits shorter than `least` microseconds are left out. Borrow both. Return NULL, or what
 * is wrong with the format of sched:sched_switch; the sink can be used nevertheless. */
const char *offcpu_init(struct offcpu *o, const struct session *session, struct recordsink *next,
                        uint64_t least);

#endif

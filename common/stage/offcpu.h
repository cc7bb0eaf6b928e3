/* --off-cpu: how long threads did not run, and where they waited. This sink consumes the samples
 * of switches, which hold the stack of the thread that is switched out, and finds when that thread
 * runs again. It passes on samples of the event "off-cpu", whose period is the time in between in
 * microseconds. All other records pass unchanged.
 *
 * Times are added up by thread, state and stack. The sums are passed on at each full second of the
 * records' time, and before the thread's process changes its names or maps. The time of a sample is
 * the end of its last wait. Its payload is text: the state in which the thread was switched out, as
 * ps(1) shows it, and whether the thread still waits at the end of the recording.
 *
 *     1 s: out, state S      2 s: runs again      an "off-cpu" sample of 1,000,000 at 2 s
 *
 * The recording must have a sample at every occurrence of the tracepoint sched:sched_switch or, in
 * its absence, of the software event context-switches; with the callchain, if stacks are wanted.
 * Samples of context-switches do not contain the state of the thread. It is then R if the SWITCH
 * record says that the thread was preempted, and otherwise unknown.
 *
 * SWITCH records, which the kernel writes for an event with FLAG_CONTEXT_SWITCH, say when a thread
 * runs again. Without them, the time when a thread runs again comes from the payloads of
 * sched:sched_switch, which name the next thread; this needs a recording of the whole machine.
 *
 * stackrecord records sched:sched_switch with FLAG_CONTEXT_SWITCH. To leave out the kernel's part
 * of the stack, it sets FLAG_EXCLUDE_CALLCHAIN_KERNEL. It cannot use FLAG_EXCLUDE_KERNEL: with that
 * the event never occurs. */
#ifndef STAGE_OFFCPU_H
#define STAGE_OFFCPU_H

#include "common/stage/stacktime.h"
#include "common/stage/threadtable.h"
#include "common/base/load.h"
#include "common/base/vec.h"

struct offcpu {
    struct recordsink sink;
    struct session session; /* its event is "off-cpu": for the consumer of the records */

    /* When the counters were stopped, in nanoseconds of the records' clock; the caller may set it
     * before `finish` is called. 0: use the time of the OWN_ENDED record, or else that of the last
     * record. */
    uint64_t ended;

    /* True if the records do not say when threads run again. Then no samples are passed on, only
     * other records. It may become true during a recording: see is_whole_machine() in offcpu.c. */
    bool refused;
    uint64_t too_short; /* waits left out because they were shorter than `least` */
    uint64_t endless;   /* waits left out because the records of their ends are missing */

    /* private from here */
    uint64_t least;      /* shortest wait that is counted, in nanoseconds */
    struct event source; /* event whose samples are consumed */
    bool has_switches;   /* there are SWITCH records */
    struct offcpu_field {
        uint32_t offset, size; /* in the payload; size 0: the field is missing */
    } state, prev, next_tid;
    struct stacktime sums; /* time off CPU */
    uint64_t now;          /* latest time of a record */
    bool ending;           /* the recording has ended: waits added now still go on */
    struct intern cpus;    /* CPU numbers, as bytes */
    VEC(uint32_t) running; /* tid that each CPU runs now; indexed by number in `cpus` */
    /* Numbers of threads that were switched out in a sample; and of those that were switched in,
     * but never out. */
    size_t seen, missed;
    bool idled, idle_missed;    /* the idle thread is counted in `seen`; in `missed` */
    struct threadtable threads; /* of struct offcpu_thread */
};

/* Set up the sink for the records of `session`, to pass on to `next`. Borrow both. Waits shorter
 * than `least` microseconds are left out. Set o->refused if the session has no suitable event.
 * Return NULL, or what is wrong with the format of sched:sched_switch; the sink works even then. */
const char *offcpu_init(struct offcpu *o, const struct session *session, struct recordsink *next,
                        uint64_t least);

/* Return true if the record is a sample that this sink consumes. */
bool offcpu_takes(const struct offcpu *o, const struct record *r);

void offcpu_free(struct offcpu *o);

#endif

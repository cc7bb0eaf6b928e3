#include "cmd/stackrecord/capture/attach.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/num.h"
#include "common/event/record.h"
#include "common/machine/procfs.h"
#include "common/machine/refusal.h"
#include "common/stage/boundary.h"
#include "common/unwind/arch.h"

enum { MONOTONIC = 1 /* CLOCK_MONOTONIC on Linux, also the clock of perf maps and jitdumps */ };

static const uint64_t fields = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                               PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
                               PERF_SAMPLE_CALLCHAIN;

static bool
is_boundary(const struct event *e, const struct attach_options *o)
{
    return o->boundaries && e->type == PERF_TYPE_TRACEPOINT;
}

/* Return the sample fields of a boundary: thread, time, and the arguments of the call. */
static uint64_t
boundary_fields(const struct event *e)
{
    enum boundary b = boundary_of(e);
    bool returns = b == BOUNDARY_RETURN || b == BOUNDARY_RING_RETURN;
    return PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
           (returns ? 0 : PERF_SAMPLE_RAW);
}

/* Return true if the event is raw_syscalls:sys_enter, the first event with o->syscalls. */
static bool
is_entry(const struct event *e, const struct attach_options *o)
{
    return o->syscalls && e->number == 0;
}

/* Set the sample fields for the entry of a system call: the arguments, and one register, which
 * shows whether the program is a 32-bit one. The stack is sampled at the return. */
static void
set_entry(struct event *e)
{
    e->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
                     PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER;
    e->regs_user = 1;
}

/* Return the task of the first counter. */
static int32_t
first_task(const struct target *t, const struct command *command)
{
    switch (t->kind) {
    case TARGET_COMMAND:
        return (int32_t)command->pid;
    case TARGET_PROCESSES:
    case TARGET_THREADS:
        return t->ids.at[0];
    case TARGET_CGROUP:
        return t->cgroup_fd;
    default:
        return EVERY_TASK;
    }
}

static unsigned
flags_of(const struct target *t)
{
    return t->kind == TARGET_CGROUP ? COUNT_CGROUP : 0;
}

/* Return true if this is the event of switches: each switch of a thread is a sample, with the stack
 * at which the thread was switched out. */
static bool
is_switch(const struct event *e)
{
    return e->type == PERF_TYPE_SOFTWARE && e->config == PERF_COUNT_SW_CONTEXT_SWITCHES;
}

/* Set how often the event is sampled: once per period of its count, or at a frequency. A tracepoint
 * is sampled at each occurrence, unless the command line says otherwise. */
static void
set_period(struct event *e, const struct attach_options *o)
{
    if ((o->switches && is_switch(e)) || is_boundary(e, o) || o->syscalls)
        e->period = 1;
    else if (o->period > 0)
        e->period = o->period;
    else if (o->frequency > 0 || e->period == 0) {
        e->period = o->frequency > 0 ? o->frequency : ATTACH_FREQUENCY;
        event_set(e, FLAG_FREQ);
    }
}

bool
attach_counts_time(const struct event *e)
{
    enum { CPU_CYCLES = 0, CPU_CLOCK = 0, TASK_CLOCK = 1 }; /* PERF_COUNT_*, linux/perf_event.h */
    return (e->type == PERF_TYPE_HARDWARE && e->config == CPU_CYCLES) ||
           (e->type == PERF_TYPE_SOFTWARE && (e->config == CPU_CLOCK || e->config == TASK_CLOCK));
}

/* A clock's samples are taken in timer interrupts, and the kernel does not limit their share of the
 * time. At 100,000 samples a second they took all of it on a virtual machine, where an interrupt
 * may take 30 microseconds: the CPU did nothing else for 18 minutes. */
enum { CLOCK_MAX = 10000, CLOCK_PERIOD = 1000000000 / CLOCK_MAX /* ns */ };

static bool
is_clock(const struct event *e)
{
    return e->type == PERF_TYPE_SOFTWARE && attach_counts_time(e);
}

/* Limit the event's rate to what the kernel permits, and a clock's to CLOCK_MAX samples a
 * second. */
static void
limit_rate(struct event *e)
{
    uint64_t most = (uint64_t)procfs_setting("kernel/perf_event_max_sample_rate", 100000);
    if (is_clock(e) && most > CLOCK_MAX)
        most = CLOCK_MAX;
    if (event_flag(e, FLAG_FREQ) && e->period > most)
        e->period = most;
    else if (!event_flag(e, FLAG_FREQ) && is_clock(e) && e->period < CLOCK_PERIOD)
        e->period = CLOCK_PERIOD;
}

/* Print a note if the event is sampled less often than was wanted. */
static void
note_rate(const struct event *e, uint64_t wanted, struct diag *diag)
{
    static const char too_many[] = "more than a clock's interrupts leave time for";
    bool clock_limit = is_clock(e) && e->period == CLOCK_MAX;
    if (e->period == wanted)
        return;
    if (event_flag(e, FLAG_FREQ))
        diag_note(diag, "%.*s: %s samples a second are %s: %s are taken", SPAN_ARG(e->name),
                  NUM_TEXT(wanted),
                  clock_limit ? too_many : "over kernel.perf_event_max_sample_rate",
                  NUM_TEXT(e->period));
    else
        diag_note(diag, "%.*s: a sample each %s ns is %s: one each %s ns is taken",
                  SPAN_ARG(e->name), NUM_TEXT(wanted), too_many, NUM_TEXT(e->period));
}

/* Set the modes in which the event counts. A tracepoint is hit in kernel mode even if only the user
 * part of its stack is wanted; so is the switch of a thread. */
static void
set_modes(struct event *e, const struct attach_options *o)
{
    bool in_kernel = e->type == PERF_TYPE_TRACEPOINT || (o->switches && is_switch(e));
    if (o->user || o->syscalls) /* the kernel's part of a return's stack is always the same */
        event_set(e, in_kernel ? FLAG_EXCLUDE_CALLCHAIN_KERNEL : FLAG_EXCLUDE_KERNEL);
    if (o->user && !in_kernel)
        event_set(e, FLAG_EXCLUDE_HV);
    if (o->kernel)
        event_set(e, in_kernel ? FLAG_EXCLUDE_CALLCHAIN_USER : FLAG_EXCLUDE_USER);
}

/* Have one event report exec, fork, mmap and exit records. */
static void
set_tracking(struct event *e, const struct target *t)
{
    event_set(e, FLAG_MMAP);
    event_set(e, FLAG_MMAP2);
    event_set(e, FLAG_COMM);
    event_set(e, FLAG_COMM_EXEC);
    event_set(e, FLAG_TASK);
    if (!target_has_tasks(t))
        event_set(e, FLAG_KSYMBOL);
}

/* Return the registers that unwinding needs, as a mask of perf's numbers; 0 if stacks cannot be
 * unwound on this machine. */
static uint64_t
register_mask(void)
{
    const struct arch *arch = arch_of_host();
    uint64_t mask = 0;
    for (unsigned i = 0; arch != NULL && i < arch->registers; i++)
        mask |= (uint64_t)1 << arch->perf[i];
    return mask;
}

/* Set how stacks are sampled. The kernel always finds its own part of a stack. Registers and stack
 * copies are those of user mode. */
static void
set_call_graph(struct event *e, const struct attach_options *o)
{
    uint64_t registers = register_mask();
    bool copies = o->call_graph == CALL_GRAPH_AUTO || o->call_graph == CALL_GRAPH_DWARF;
    if (o->call_graph == CALL_GRAPH_NONE)
        e->sample_type &= ~(uint64_t)PERF_SAMPLE_CALLCHAIN;
    if (!copies || registers == 0 || event_flag(e, FLAG_EXCLUDE_CALLCHAIN_USER))
        return;
    e->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    e->regs_user = registers;
    e->stack_user = o->stack > 0 ? o->stack : ATTACH_STACK;
    if (o->call_graph == CALL_GRAPH_DWARF)
        event_set(e, FLAG_EXCLUDE_CALLCHAIN_USER);
}

static void
set_attributes(struct event *e, const struct target *t, const struct attach_options *o)
{
    e->sample_type = is_boundary(e, o)
                         ? boundary_fields(e)
                         : fields | (e->type == PERF_TYPE_TRACEPOINT ? PERF_SAMPLE_RAW : 0);
    e->read_format = PERF_FORMAT_LOST;
    e->clockid = MONOTONIC;
    e->max_stack = o->max_depth;
    event_set(e, FLAG_DISABLED);
    event_set(e, FLAG_SAMPLE_ID_ALL);
    event_set(e, FLAG_USE_CLOCKID);
    if (t->kind == TARGET_PROCESSES || t->kind == TARGET_COMMAND)
        event_set(e, FLAG_INHERIT);
    if (t->kind == TARGET_COMMAND)
        event_set(e, FLAG_ENABLE_ON_EXEC);
    set_period(e, o);
    set_modes(e, o);
    if (is_entry(e, o))
        set_entry(e);
    else if (!is_boundary(e, o))
        set_call_graph(e, o);
    if (e->number == 0 && o->switches)
        event_set(e, FLAG_CONTEXT_SWITCH);
    if (e->number == 0)
        set_tracking(e, t);
}

/* Replace cycles by a clock, if the machine has no hardware counter for them, as most virtual
 * machines. A clock samples by time what runs on the CPUs, which is closest. */
static bool
take_clock(struct event *e, struct diag *diag, struct arena *names)
{
    struct text name = {0};
    if (e->type != PERF_TYPE_HARDWARE || !attach_counts_time(e))
        return false;
    diag_note(diag, "this machine has no counter of cycles: the event is cpu-clock instead");
    size_t colon = span_find(e->name, ':');
    TEXT_ADD(&name, SPAN("cpu-clock"),
             span_from(e->name, colon != SPAN_NONE ? colon : e->name.len));
    e->name = arena_copy(names, text_span(&name));
    free(name.ptr);
    e->type = PERF_TYPE_SOFTWARE;
    e->config = 0;
    event_clear(e, FLAG_PRECISE_IP);
    event_clear(e, FLAG_PRECISE_IP + 1);
    return true;
}

/* Exclude the kernel, if only root may sample it. Show that in the event's name as perf does. A
 * boundary of turns keeps its name, by which it is recognized; system calls come from user mode
 * anyway. */
static bool
take_user_only(struct event *e, const struct attach_options *o, struct arena *names)
{
    struct text name = {0};
    bool refused = e->type == PERF_TYPE_TRACEPOINT && !is_boundary(e, o);
    if (refused || event_flag(e, FLAG_EXCLUDE_KERNEL) || o->kernel ||
        procfs_setting("kernel/perf_event_paranoid", 2) > 2)
        return false;
    event_set(e, FLAG_EXCLUDE_KERNEL);
    event_set(e, FLAG_EXCLUDE_HV);
    if (is_boundary(e, o))
        return true;
    TEXT_ADD(&name, e->name, !span_has(e->name, ':') ? SPAN(":u") : SPAN("u"));
    e->name = arena_copy(names, text_span(&name));
    free(name.ptr);
    return true;
}

/* Change an event that the kernel refused, so that it may accept it. Return false if nothing is
 * left to change. */
static bool
adapt(struct event *e, int error, const struct attach_options *o, struct diag *diag,
      struct arena *names)
{
    bool absent = error == ENOENT || error == ENODEV || error == EOPNOTSUPP;
    if (absent && take_clock(e, diag, names))
        return true;
    if (error == EACCES)
        return take_user_only(e, o, names);
    if (error == ENOSYS && e->stack_user > 0) { /* this machine's kernel cannot copy stacks */
        e->sample_type &= ~(uint64_t)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
        e->stack_user = 0;
    } else if (error == EINVAL && e->read_format != 0) /* before Linux 6.0 */
        e->read_format = 0;
    else if (error == EINVAL && event_flag(e, FLAG_KSYMBOL)) /* before Linux 5.1 */
        event_clear(e, FLAG_KSYMBOL);
    else
        return false;
    return true;
}

/* Set *task to the next thread of the first process. Return false if there is none. */
static bool
next_thread(const struct target *t, int32_t *task)
{
    struct numbers tids = {0};
    size_t i = 0;
    if (t->kind == TARGET_PROCESSES)
        procfs_threads(&tids, t->ids.at[0], 0);
    while (i < tids.count && tids.at[i] != *task)
        i++;
    bool found = i + 1 < tids.count;
    *task = found ? tids.at[i + 1] : *task;
    free(tids.at);
    return found;
}

/* Record without the session's last events, boundaries from the i-th on, since the kernel refused
 * that one. */
static void
drop_boundaries(struct session *s, size_t i, int error, struct diag *diag)
{
    diag_note(diag, "the kernel refuses the tracepoint %.*s: %s",
              SPAN_ARG(s->events.events[i].name), strerror(error));
    s->events.count = i;
}

bool
attach_events(struct session *s, const struct target *t, const struct command *command,
              const struct attach_options *o, struct diag *diag)
{
    int32_t task = first_task(t, command);
    bool without_kernel = false;
    for (size_t i = 0; i < s->events.count; i++) {
        struct event *e = &s->events.events[i];
        set_attributes(e, t, o);
        uint64_t wanted = e->period;
        limit_rate(e);
        for (int error; (error = perfopen_try(e, task, t->cpus.at[0], flags_of(t))) != 0;) {
            if (error == ESRCH && next_thread(t, &task))
                continue; /* the first thread may end before the others do */
            bool adapted = adapt(e, error, o, diag, &s->names);
            if (!adapted && is_boundary(e, o)) {
                drop_boundaries(s, i, error, diag);
                return true;
            }
            if (!adapted)
                return refusal_report(&(struct refusal){REFUSED_COUNTER, error, e, task}, t,
                                      "record", diag);
            limit_rate(e); /* it may have been replaced by a clock */
            without_kernel |= error == EACCES;
        }
        note_rate(e, wanted, diag);
    }
    if (without_kernel)
        diag_note(diag,
                  "only code in user mode is sampled: kernel.perf_event_paranoid is %ld; as root, "
                  "'sysctl kernel.perf_event_paranoid=1' permits the kernel's",
                  procfs_setting("kernel/perf_event_paranoid", 2));
    return true;
}

static void
add_ids(struct session *s, const struct counters *c)
{
    for (size_t i = 0; i < c->count; i++)
        eventset_add_id(&s->events, c->list[i].id, &s->events.events[c->list[i].event]);
}

/* Return true if the ring buffers hold the fork record of the thread: then it has inherited
 * counters. */
static bool
was_forked(struct counters *c, int32_t tid)
{
    bool found = false;
    struct span bytes;
    for (size_t i = 0; i < c->nrings && c->count > 0; i++) {
        ring_begin(&c->rings[i]);
        while (ring_next(&c->rings[i], &bytes))
            found |= load_u32(bytes.ptr) == PERF_RECORD_FORK && bytes.len >= 20 &&
                     load_u32(bytes.ptr + 16) == (uint32_t)tid;
        ring_rewind(&c->rings[i]);
    }
    return found;
}

/* Open counters for all threads of a process, which may start more meanwhile. */
static struct refusal
open_process(struct counters *c, int32_t pid)
{
    struct numbers tids = {0};
    struct refusal r = {REFUSED_NOTHING, 0, NULL, 0};
    size_t done = 0;
    bool first = true;
    do {
        for (; done < tids.count && r.what == REFUSED_NOTHING; done++) {
            size_t from = c->count;
            if (!first && was_forked(c, tids.at[done]))
                continue;
            r = counters_open(c, tids.at[done], 0);
            if (r.error == ESRCH)
                r.what = REFUSED_NOTHING; /* the thread has ended */
            counters_enable(c, from);
        }
        first = done == 0;
        if (!procfs_threads(&tids, pid, 0) && errno != ENOENT && errno != ESRCH)
            r = (struct refusal){errno == EMFILE ? REFUSED_COUNTER : REFUSED_LIST, errno, NULL,
                                 pid};
    } while (done < tids.count && r.what == REFUSED_NOTHING);
    free(tids.at);
    return r;
}

static struct refusal
open_target(struct counters *c, const struct target *t, const struct command *command)
{
    struct refusal r = {REFUSED_NOTHING, 0, NULL, 0};
    if (t->kind != TARGET_PROCESSES && t->kind != TARGET_THREADS)
        return counters_open(c, first_task(t, command), flags_of(t));
    for (size_t i = 0; i < t->ids.count && r.what == REFUSED_NOTHING; i++)
        r = t->kind == TARGET_PROCESSES ? open_process(c, t->ids.at[i])
                                        : counters_open(c, t->ids.at[i], 0);
    if (r.what == REFUSED_NOTHING && c->count == 0)
        r = (struct refusal){REFUSED_COUNTER, ESRCH, NULL, t->ids.at[0]};
    return r;
}

bool
attach_copies_stacks(const struct eventset *events)
{
    for (size_t i = 0; i < events->count; i++)
        if ((events->events[i].sample_type & PERF_SAMPLE_STACK_USER) != 0)
            return true;
    return false;
}

/* Return the maximum number of samples of the event on a CPU in a second. If it has no known rate,
 * return what busy machines reach, for example by page faults or function calls. */
static uint64_t
samples_a_second(const struct event *e)
{
    enum { OFTEN = 10000 };
    if (event_flag(e, FLAG_FREQ))
        return e->period;
    return is_clock(e) ? CLOCK_SECOND / e->period : OFTEN;
}

enum { SAMPLE_REST = 512 }; /* approximate bytes of a sample besides the stack */

/* Return the number of samples for which half a ring buffer must have room: the kernel wakes this
 * program when it is half full. For switches that is 160 divided by the number of CPUs, but at
 * least 12 (with 80 on each of two CPUs, none of 40,000 switches a second were lost); fewer if
 * there would be less than ATTACH_STACK_FEW bytes for a stack. */
static uint64_t
samples_to_hold(const struct event *e, uint64_t ring_size, size_t cpus)
{
    enum { LEAST = 8, PARTS_OF_SECOND = 20, SWITCHES = 160, SWITCHES_LEAST = 12 };
    uint64_t n = samples_a_second(e) / PARTS_OF_SECOND;
    if (event_flag(e, FLAG_CONTEXT_SWITCH)) {
        uint64_t most = ring_size / 2 / (ATTACH_STACK_FEW + SAMPLE_REST);
        n = SWITCHES / cpus > SWITCHES_LEAST ? SWITCHES / cpus : SWITCHES_LEAST;
        n = n < most ? n : most;
    }
    return n > LEAST ? n : LEAST;
}

/* Copy at most as much of each stack as the ring buffers have room for. At switches, copy less by
 * default, so that the buffers hold more samples. */
static void
fit_stacks(struct session *s, const struct counters *c, uint32_t asked)
{
    for (size_t i = 0; i < s->events.count; i++) {
        struct event *e = &s->events.events[i];
        uint32_t usual = event_flag(e, FLAG_CONTEXT_SWITCH) ? ATTACH_STACK_SWITCH : ATTACH_STACK;
        uint32_t wanted = asked > 0 ? asked : usual;
        uint64_t room = c->ring_size / 2 / samples_to_hold(e, c->ring_size, c->cpus->count);
        room = room > SAMPLE_REST + ATTACH_STACK_LEAST ? (room - SAMPLE_REST) & ~(uint64_t)7
                                                       : ATTACH_STACK_LEAST;
        if ((e->sample_type & PERF_SAMPLE_STACK_USER) != 0)
            e->stack_user = room < wanted ? (uint32_t)room : wanted;
    }
}

/* Open the counters with ring buffers, all of the same size, as large as is permitted. */
static struct refusal
open_with_rings(struct counters *c, struct session *s, const struct target *t,
                const struct command *command, uint32_t asked)
{
    struct refusal r;
    fit_stacks(s, c, asked);
    while ((r = open_target(c, t, command)).what == REFUSED_RING &&
           (r.error == EPERM || r.error == ENOMEM) &&
           c->ring_size > (uint64_t)sysconf(_SC_PAGESIZE)) {
        counters_close(c);
        c->ring_size /= 2;
        fit_stacks(s, c, asked);
    }
    if (r.what == REFUSED_NOTHING && !counters_leave_room(c))
        r = (struct refusal){REFUSED_COUNTER, EMFILE, NULL, EVERY_TASK};
    return r;
}

/* Replace the counters of threads by counters of all tasks. */
static bool
open_system(struct counters *c, struct session *s, const struct target *t, uint32_t asked)
{
    static const struct target everything = {.kind = TARGET_SYSTEM};
    if (t->kind == TARGET_COMMAND || !target_has_tasks(t))
        return false;
    counters_close(c);
    return open_with_rings(c, s, &everything, NULL, asked).what == REFUSED_NOTHING;
}

/* Return true if the processes have more than fifty threads for each CPU. A thread with a counter
 * of its own is not sampled until it has run for a whole period, which takes long with many
 * threads. */
static bool
has_many_threads(const struct counters *c, const struct target *t)
{
    enum { EACH_CPU = 50 }; /* half a second at 99 samples a second */
    struct numbers tids = {0};
    if (!event_flag(&c->session->events.events[0], FLAG_FREQ))
        return false;
    for (size_t i = 0; i < t->ids.count && t->kind == TARGET_PROCESSES; i++)
        procfs_threads(&tids, t->ids.at[i], tids.count);
    free(tids.at);
    return tids.count > EACH_CPU * c->cpus->count;
}

/* Print a note if less of each stack is copied than was requested, or than the stacks of many
 * programs need. That is expected of events whose rate is not known. */
static void
note_stacks(const struct counters *c, uint32_t asked, struct diag *diag)
{
    const struct eventset *events = &c->session->events;
    uint32_t wanted = asked > 0 ? asked : ATTACH_STACK_FEW, least = wanted;
    bool by_frequency = false;
    for (size_t i = 0; i < events->count; i++) {
        const struct event *e = &events->events[i];
        bool counts = asked > 0 || event_flag(e, FLAG_FREQ) || is_clock(e) ||
                      event_flag(e, FLAG_CONTEXT_SWITCH);
        if (!counts || e->stack_user == 0 || e->stack_user >= least)
            continue;
        least = e->stack_user;
        by_frequency = !event_flag(e, FLAG_CONTEXT_SWITCH);
    }
    if (least < wanted)
        diag_note(diag,
                  "%s bytes of each stack are copied, not %s, since the ring buffers have "
                  "%s KiB: deep stacks may be cut; %sraise --memory",
                  NUM_TEXT(least), NUM_TEXT(wanted), NUM_TEXT(c->ring_size / 1024),
                  by_frequency ? "lower -F, or " : "");
}

bool
attach_target(struct counters *c, struct session *s, const struct target *t,
              const struct command *command, const struct attach_options *o, bool *filtered,
              struct diag *diag)
{
    uint64_t wanted = c->ring_size;
    struct refusal r = {REFUSED_NOTHING, 0, NULL, 0};
    c->of_command = t->kind == TARGET_COMMAND;
    *filtered = has_many_threads(c, t) && open_system(c, s, t, o->stack);
    c->ring_size = *filtered ? c->ring_size : wanted;
    if (!*filtered)
        r = open_with_rings(c, s, t, command, o->stack);
    if (r.error == EMFILE && open_system(c, s, t, o->stack)) {
        *filtered = true;
        r.what = REFUSED_NOTHING;
        diag_note(diag, "there are too many threads for the limit of open files: all processes are "
                        "recorded, and the samples of others dropped");
    }
    if (r.what != REFUSED_NOTHING)
        return refusal_report(&r, t, "record", diag);
    add_ids(s, c);
    if (c->ring_size < wanted)
        diag_note(diag,
                  "the ring buffers are %s KiB for each CPU: no more memory may be locked (as "
                  "root, raise kernel.perf_event_mlock_kb with sysctl)",
                  NUM_TEXT(c->ring_size / 1024));
    note_stacks(c, o->stack, diag);
    return true;
}

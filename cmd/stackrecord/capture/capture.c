#include "cmd/stackrecord/capture/capture.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd/stackrecord/capture/task.h"
#include "common/base/clock.h"
#include "common/base/helper.h"
#include "common/base/num.h"
#include "common/machine/procfs.h"
#include "common/machine/stop.h"
#include "common/tracepoint/syscallnames.h"

/* Reduce options to what the kernel's settings permit, with a message. */
static void
clamp_options(struct attach_options *a, struct diag *diag)
{
    long most = procfs_setting("kernel/perf_event_max_stack", 127);
    if (a->max_depth > most) {
        diag_note(diag,
                  "--max-depth %d is over kernel.perf_event_max_stack: stacks have %s "
                  "frames at most",
                  a->max_depth, NUM_TEXT((uint64_t)most));
        a->max_depth = (uint16_t)most;
    }
}

/* Return the size of each CPU's ring buffer in bytes, a power of two. If each switch of a thread is
 * a sample, more samples wait while the machine is busy; the buffers then also get the memory of
 * folded stacks, if there are none. Unless processes or threads are recorded, a CPU may have a
 * second ring buffer of a quarter of the size. */
static uint64_t
ring_size(const struct options *o)
{
    enum { RING_MAX = 4 << 20, RING_MAX_SWITCHES = 16 << 20 };
    const struct shares shares = options_shares(o);
    bool switches = o->attach.switches || o->attach.syscalls;
    uint64_t size = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t most = switches ? RING_MAX_SWITCHES : RING_MAX;
    uint64_t all = shares.rings + (switches && !o->folded ? shares.stacks : 0);
    bool alone = o->target.kind == TARGET_PROCESSES || o->target.kind == TARGET_THREADS;
    while (size < most && (size * 2 + (alone ? 0 : size / 2)) * o->target.cpus.count <= all)
        size *= 2;
    return size;
}

/* Start tracking the perf maps and binaries of the processes. Return false, after a message, if a
 * map of --perf-map cannot be read. */
static bool
follow_processes(struct capture *c)
{
    const struct options *o = c->options;
    c->live = liveprocs_new(c->diag, options_shares(o).perf_maps);
    for (size_t i = 0; i < o->nmaps; i++) {
        const struct map_option *m = &o->maps[i];
        const char *problem = liveprocs_give_map(c->live, m->pid, m->path);
        if (problem != NULL)
            diag_error(c->diag, (struct place){m->path, 0}, "%s", problem);
    }
    return c->diag->status == 0;
}

/* Add the system calls that wait for events, if the kernel has tracepoints for them. */
static void
add_boundaries(struct capture *c, struct events *e)
{
    size_t before = e->count;
    const char *problem = events_parse(e, SPAN("syscalls:sys_e*_epoll_*wait*"));
    events_parse(e, SPAN("syscalls:sys_e*_io_uring_enter"));
    events_parse(e, SPAN("syscalls:sys_exit_epoll_create1"));
    if (e->count == before)
        diag_note(c->diag, "%s", problem);
}

static void
set_machine(struct session *s)
{
    struct utsname names;
    if (uname(&names) == 0)
        s->machine = arena_copy(&s->names, span_cstr(names.machine));
}

/* Append the numbers of the wanted system calls of this machine, or of its 32-bit programs, to a
 * filter. */
static void
add_numbers(struct text *to, struct span machine, bool compat, struct span wanted)
{
    struct span names[SYSCALLNAMES_MAX];
    char digits[NUM_DIGITS];
    syscallnames_of(machine, compat, names);
    while (wanted.len > 0) {
        struct span name = span_take(&wanted, ',');
        for (size_t i = 0; i < SYSCALLNAMES_MAX; i++)
            if (span_eq(names[i], name))
                TEXT_ADD(to, SPAN("id == "), num_decimal(digits, i), SPAN(" || "));
        if (span_eq(name, SPAN("rt_sigreturn")) && !compat) /* its return has the number -1 */
            text_add(to, SPAN("id == -1 || "));
    }
}

/* Return true if a wanted call has a descriptor as an argument. */
static bool
has_descriptors(const struct syscallkinds *calls)
{
    bool found = false;
    for (int64_t number = 0; number < SYSCALLNAMES_MAX; number++) {
        const struct syscall_kind *k = syscallkinds_of(calls, number, false);
        for (size_t i = 0; k->wanted && i < k->count; i++)
            found |= k->arguments[i].style == STYLE_FD;
    }
    return found;
}

/* Have the kernel drop unwanted system calls, and this program's own: otherwise writing the text of
 * each call would be recorded, too. Keep the calls that close or replace descriptors. A
 * filter is at most a page long. If not all numbers fit, the stage that makes the samples drops the
 * others. */
static const char *
filter_calls(struct capture *c)
{
    enum { MOST = 3500 };
    const struct derive_options *o = &c->options->derive;
    char own[64];
    c->call_filter.len = 0;
    text_add(&c->call_filter, SPAN("("));
    add_numbers(&c->call_filter, c->session.machine, false, o->calls);
    add_numbers(&c->call_filter, c->session.machine, true, o->calls);
    if (o->calls.len > 0 && has_descriptors(&c->calls))
        add_numbers(&c->call_filter, c->session.machine, false,
                    SPAN("close,close_range,dup2,dup3"));
    bool selects = c->call_filter.len > 1 && c->call_filter.len < MOST;
    c->call_filter.len = selects ? c->call_filter.len - strlen(" || ") : 0;
    snprintf(own, sizeof own, "%scommon_pid != %d", selects ? ") && " : "", (int)getpid());
    text_add(&c->call_filter, span_cstr(own));
    text_add(&c->call_filter, SPAN_BYTES("")); /* terminate the string */
    return c->call_filter.ptr;
}

/* Create the uprobes. Use the events of the command line, or the default event. */
static bool
prepare_events(struct capture *c, struct options *o)
{
    static const struct event cycles = {.name = {"cycles", 6}, .type = PERF_TYPE_HARDWARE};
    struct events *e = &o->events;
    const char *problem = NULL;
    if (o->derive.off_cpu)
        problem = events_parse(e, SPAN("sched:sched_switch"));
    if (o->derive.wall)
        problem = events_parse(e, SPAN("context-switches,cpu-clock"));
    if (o->derive.syscalls)
        problem = events_parse(e, SPAN("raw_syscalls:sys_enter,raw_syscalls:sys_exit"));
    if (o->derive.syscalls)
        e->formats = SPAN("syscalls:sys_enter_");
    if (o->derive.turns > 0 && problem == NULL)
        add_boundaries(c, e);
    if (problem == NULL)
        problem = events_prepare(e);
    if (problem != NULL) {
        diag_error(c->diag, NOWHERE, "%s", problem);
        return false;
    }
    for (size_t i = 0; i < e->count; i++)
        eventset_add(&c->session.events, &e->events[i], &c->session.names);
    if (e->count == 0)
        eventset_add(&c->session.events, &cycles, &c->session.names);
    c->session.tracing = text_span(&e->tracing);
    set_machine(&c->session);
    if (o->derive.syscalls)
        syscallkinds_init(&c->calls, c->session.tracing, c->session.machine, o->derive.calls);
    return true;
}

/* Create the command's process. */
static bool
prepare_command(struct capture *c, bool to_stderr)
{
    const struct target *t = &c->options->target;
    if (t->kind != TARGET_COMMAND || command_prepare(&c->command, t->command, to_stderr))
        return true;
    diag_error(c->diag, NOWHERE, "no process can be started: %s", strerror(errno));
    return false;
}

/* Print a note if the kernel does not show where threads are switched out. */
static void
note_waits(const struct capture *c)
{
    if (c->options->derive.wall && event_flag(&c->session.events.events[0], FLAG_EXCLUDE_KERNEL))
        diag_note(c->diag, "the waits of --wall have times and no stacks: threads wait in the "
                           "kernel, which is not sampled");
}

/* If there are no tracepoints for turns, observe event loops while recording instead, and print
 * what that means. */
static void
choose_turns(struct capture *c)
{
    const struct eventset *set = &c->session.events;
    c->loops =
        c->options->derive.turns > 0 && set->events[set->count - 1].type != PERF_TYPE_TRACEPOINT;
    if (c->loops)
        diag_note(c->diag,
                  "turns are found by looking at event loops every %d ms, without tracepoints: "
                  "their beginnings and ends are known within 20 ms; where a loop is not that of "
                  "node's first thread, turns between which no wait was seen count as one",
                  THREADS_LOOPS_MS);
}

/* Attach the counters. Raise this program's priority, if permitted, so that busy processes do not
 * delay attaching and reading. The process of the command exists already, and keeps its
 * priority. */
static bool
attach(struct capture *c)
{
    const struct options *o = c->options;
    setpriority(PRIO_PROCESS, 0, -20);
    helper_init(true);
    counters_init(&c->counters, &c->session, &o->target.cpus);
    c->counters.ring_size = ring_size(o);
    c->counters.filter = o->derive.syscalls ? filter_calls(c) : NULL;
    c->began = clock_now();
    if (!attach_events(&c->session, &o->target, &c->command, &o->attach, c->diag))
        return false;
    note_waits(c);
    choose_turns(c);
    return attach_target(&c->counters, &c->session, &o->target, &c->command, &o->attach,
                         &c->filtered, c->diag);
}

bool
capture_prepare(struct capture *c, struct options *o, bool to_stderr, struct diag *diag)
{
    c->options = o;
    c->diag = diag;
    clamp_options(&o->attach, diag);
    return follow_processes(c) && prepare_events(c, o) && prepare_command(c, to_stderr) &&
           attach(c);
}

bool
capture_counts_already(const struct capture *c)
{
    enum target_kind kind = c->options->target.kind;
    return !c->filtered && (kind == TARGET_PROCESSES || kind == TARGET_THREADS);
}

void
capture_sink(struct capture *c, struct rawsink *to, bool keeps_lines, bool looks_up)
{
    const struct eventset *events = &c->session.events;
    if (c->options->derive.syscalls)
        to = calldetails_init(&c->details, events, &c->calls, to);
    if (c->options->strings)
        to = callstrings_init(&c->strings, events, &c->calls, to);
    if (!c->options->no_js_names)
        to = jsnames_init(&c->names, events, c->live, c->diag, options_shares(c->options).js_memory,
                          c->options->inlined, c->options->lines, to);
    to = mapkeeper_init(&c->keeper, events, c->live, to);
    if (keeps_lines)
        mapkeeper_add_lines(&c->keeper, looks_up);
    if (c->options->attach.switches)
        to = threads_init(&c->threads, events, &c->options->target, c->filtered,
                          c->options->derive.wall, to);
    c->threads.turns = c->options->derive.turns > 0;
    c->threads.loops = c->loops;
    c->sink = to;
}

void
capture_kernel(struct capture *c, bool exact)
{
    struct tasks tasks = {.sink = c->sink, .events = &c->session.events};
    if (!c->options->attach.user)
        tasks_kernel(&tasks, exact);
    if (tasks.error != 0)
        diag_warn(c->diag, NULL, NOWHERE, "/proc/modules: %s: functions of modules have no names",
                  strerror(tasks.error));
    tasks_free(&tasks);
}

static bool
start_command(struct capture *c)
{
    int error = command_start(&c->command);
    const struct place place = {c->options->target.command[0], 0};
    if (error != 0)
        diag_error(c->diag, place, "%s",
                   error == EPIPE ? "its process was killed before it could start"
                                  : strerror(error));
    else if (c->command.is_protected)
        diag_warn(c->diag, NULL, place,
                  "runs and is not recorded: its file is set-user-ID, has capabilities, or may not "
                  "be read by you, so the kernel ends the recording; record as root");
    return error == 0;
}

/* Return true if sampling begins after the running processes are described. It does not for waits,
 * which are timed from the beginning, and not for a command, whose exec starts the counters. */
static bool
begins_late(const struct capture *c)
{
    return !capture_counts_already(c) && !c->options->attach.switches &&
           c->options->target.kind != TARGET_COMMAND;
}

bool
capture_begin(struct capture *c)
{
    const struct options *o = c->options;
    if (!sampler_init(&c->sampler, c->sink, &c->counters,
                      c->command.pid != 0 ? &c->command : NULL)) {
        diag_error(c->diag, NOWHERE, "the recording cannot begin: %s", strerror(errno));
        return false;
    }
    c->sampler.duration = o->duration;
    c->sampler.round_ms = c->loops             ? THREADS_LOOPS_MS
                          : o->strings         ? CALLSTRINGS_ROUND_MS
                          : o->derive.syscalls ? CALLDETAILS_ROUND_MS
                                               : 0;
    c->sampler.live_processes = c->live;
    c->sampler.names = o->no_js_names ? NULL : &c->names;
    c->sampler.details = o->derive.syscalls ? &c->details : NULL;
    c->sampler.strings = o->strings ? &c->strings : NULL;
    c->sampler.running = c->filtered ? &c->running : NULL;
    if (o->attach.switches)
        threads_begin(&c->threads, capture_counts_already(c) ? c->began : clock_now());
    if (o->target.kind == TARGET_COMMAND)
        return start_command(c);
    if (begins_late(c))
        counters_enable_tasks(&c->counters);
    else
        counters_enable(&c->counters, 0);
    return true;
}

/* Describe the processes and threads that already run. A command needs none of that: its exec is
 * recorded. */
static void
describe_tasks(struct capture *c)
{
    const struct target *t = &c->options->target;
    struct tasks tasks = {
        .sink = c->sink, .events = &c->session.events, .pause = capture_relieve, .ctx = c};
    struct numbers pids = {0};
    if (!target_has_tasks(t))
        tasks_was_read(&tasks, procfs_processes(&pids));
    for (size_t i = 0; i < t->ids.count; i++) {
        int32_t pid = procfs_process_of(t->ids.at[i]);
        if (tasks_was_read(&tasks, pid >= 0) && !numbers_has(&pids, pid))
            numbers_add(&pids, pid);
    }
    if (tasks.error != 0)
        diag_warn(c->diag, NULL, NOWHERE, "/proc: what runs already could not be listed: %s",
                  strerror(tasks.error));
    for (size_t i = 0; i < pids.count && !capture_relieve(c); i++) {
        tasks.error = 0;
        tasks_process(&tasks, pids.at[i]);
        if (tasks.error != 0 && tasks.error != ETIMEDOUT) /* reported at the end */
            diag_warn(c->diag, "processes that cannot be read", NOWHERE,
                      "process %d: cannot be read from /proc: %s: its functions may have no names",
                      (int)pids.at[i], strerror(tasks.error));
    }
    c->sampler.processes = pids.count + (c->command.pid != 0);
    tasks_free(&tasks);
    free(pids.at);
}

/* Add a record of the samples that the kernel counted as lost and has not reported yet. */
static void
add_lost(struct capture *c)
{
    struct tasks tasks = {.sink = c->sink, .events = &c->session.events};
    uint64_t lost = counters_lost(&c->counters);
    if (lost > c->sampler.lost) {
        tasks_lost(&tasks, lost - c->sampler.lost);
        c->sampler.lost = lost;
    }
    tasks_free(&tasks);
}

/* Add what is known of threads at the end of the recording. */
static void
stop_threads(struct capture *c)
{
    size_t missing = threads_stop(&c->threads, c->sampler.stopped);
    if (missing > 0)
        diag_note(c->diag,
                  "of %zu thread%s that waited all the time the stack could not be read in time",
                  missing, missing == 1 ? "" : "s");
}

/* Sampling begins after the running processes are described: on a machine with thousands of them
 * that takes longer than samples can wait for the names of their processes and mappings. */
enum sampler_end
capture_run(struct capture *c)
{
    describe_tasks(c);
    if (begins_late(c)) {
        counters_enable(&c->counters, 0);
        sampler_begin(&c->sampler);
    }
    enum sampler_end end = sampler_run(&c->sampler);
    int error = errno;
    add_lost(c);
    if (c->options->attach.switches)
        stop_threads(c);
    sampler_read_names(&c->sampler); /* for the stacks that stop_threads() added */
    errno = error;
    return end;
}

bool
capture_relieve(void *ctx)
{
    struct capture *c = ctx;
    return sampler_relieve(&c->sampler);
}

bool
capture_wants_names(void *ctx)
{
    struct capture *c = ctx;
    return sampler_wants_names(&c->sampler);
}

bool
capture_read_names(void *ctx)
{
    struct capture *c = ctx;
    return sampler_read_names(&c->sampler);
}

bool
capture_may_read(struct capture *c, bool trusted, uint64_t most)
{
    if (c->over == 0 && sampler_is_over(&c->sampler)) {
        c->over = clock_now();
        c->used = clock_used();
    }
    return c->over == 0 ||
           (trusted ? clock_used() - c->used < most : clock_now() - c->over < most / 2);
}

void
capture_end_command(struct capture *c, enum sampler_end end)
{
    bool ours = end == END_DURATION || (end == END_SIGNAL && stop_was_sent());
    if (c->command.pid != 0 && ours && !command_has_ended(&c->command, false))
        kill(c->command.pid, end == END_SIGNAL ? stop_signal() : SIGTERM);
}

/* Print a note if the command ignores the signal that should end it, as some servers do with
 * SIGINT. */
void
capture_await_command(struct capture *c, enum sampler_end end)
{
    enum { TWO_SECONDS = 2000 };
    bool asked = end == END_DURATION || end == END_SIGNAL;
    if (asked && !sampler_await_command(&c->sampler, TWO_SECONDS))
        diag_note(c->diag,
                  "process %d still runs, two seconds after the signal that was to end it: "
                  "stackrecord waits for it; Ctrl-C ends stackrecord alone, 'kill -KILL %d' ends "
                  "the process",
                  (int)c->command.pid, (int)c->command.pid);
    command_has_ended(&c->command, true);
}

void
capture_abandon(void *ctx)
{
    enum { HALF_A_SECOND = 500 };
    struct capture *c = ctx;
    if (c->command.pid == 0 || command_has_ended(&c->command, false))
        return;
    counters_disable(&c->counters);
    diag_error(c->diag, NOWHERE,
               "the command goes on as process %d, and is not recorded any more: stackrecord waits "
               "for it",
               (int)c->command.pid);
    while (stop_signal() == 0 && !sampler_await_command(&c->sampler, HALF_A_SECOND))
        continue;
    if (stop_signal() == 0)
        return;
    capture_end_command(c, END_SIGNAL);
    capture_await_command(c, END_SIGNAL);
}

void
capture_explain_silent(struct diag *diag)
{
    struct text comm = {0};
    for (int32_t pid; (pid = helper_next_silent()) != 0;) {
        if (!procfs_read_of(&comm, pid, "comm"))
            text_add(&comm, SPAN("it has ended"));
        diag_warn(diag, "processes that did not answer", NOWHERE,
                  "process %d (%.*s): its file system or memory did not answer in time: its "
                  "functions may have no names",
                  (int)pid, SPAN_ARG(span_trim(text_span(&comm))));
    }
    free(comm.ptr);
}

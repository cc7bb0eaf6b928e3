/* stackrecord: sample processes, a command or the machine, and print their stacks.
 *
 *     capture/   from the machine to records: events, counters, ring buffers, tasks, /proc. The only code
 *                that makes system calls about others, or reads a clock
 *     output/    from records to text, folded stacks or perf.data
 *
 * Records go from step to step, by two tables of functions (common/stage/sink.h):
 *
 *     sampler ─► rawsink: records as the kernel wrote them, one ring buffer after the other
 *                  ├─ mapkeeper: waits for perf maps, adds their lines to what is written by
 *                  ├─ dataout: writes perf.data (-o FILE)
 *                  └─ timeline: sorts by time and decodes
 *                       └─► recordsink: decoded records in the order of their times
 *                             ├─ taskfilter: drops the samples of other processes, passes the rest
 *                             ├─ offcpu: turns switches into samples, and passes them on
 *                             ├─ wall: the same of what runs and what waits
 *                             ├─ textout: finds names and prints text or folded stacks
 *                             └─ dataout, behind taskfilter */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd/stackrecord/options.h"
#include "cmd/stackrecord/output/dataout.h"
#include "cmd/stackrecord/capture/mapkeeper.h"
#include "common/stage/offcpu.h"
#include "common/stage/taskfilter.h"
#include "cmd/stackrecord/output/textout.h"
#include "common/stage/timeline.h"
#include "common/stage/unwinding.h"
#include "common/stage/wall.h"
#include "cmd/stackrecord/capture/threads.h"
#include "cmd/stackrecord/capture/procfs.h"
#include "cmd/stackrecord/capture/sampler.h"
#include "cmd/stackrecord/capture/stop.h"
#include "cmd/stackrecord/capture/task.h"
#include "common/base/clock.h"
#include "common/base/decimal.h"
#include "common/base/helper.h"
#include "common/base/num.h"
#include "common/base/pipe.h"
#include "common/symbolize/heldfiles.h"

struct work {
    struct options *options;
    struct diag diag;
    struct session session;
    struct events events;
    struct command command;
    struct counters counters;
    uint64_t began; /* when the counters were started, or before: nanoseconds of CLOCK_MONOTONIC */
    /* When the recording was over for debug information that was still read, and the processor time that
     * was used then; 0: it is not. */
    uint64_t over, used;
    struct sampler sampler;
    struct recordsource_options naming;
    /* From the ring buffers to the output: see the head of this file. */
    struct mapkeeper keeper;
    struct outfile file;
    struct dataout data;
    struct timeline timeline;
    struct taskfilter filter;
    struct running running;
    bool filtered; /* the filter is needed */
    struct threads threads;
    struct unwinding unwinding;
    struct recordsink mapped; /* gives records to the next, before they are unwound */
    struct session unwound;   /* as it is written, without copies of stacks */
    struct recordsource maps; /* of processes, for unwinding where only data are written: */
    struct perfdata facts;    /* its recording, */
    struct frametab frames;   /* and no frames */
    struct offcpu offcpu;
    struct wall wall;
    struct textout text;
    struct out out;
};

/* Bytes of --memory for each kind of data that grows with what is recorded. The rest, an eighth, is
 * for the program itself and for the symbols of the kernel and of binaries, which are not limited
 * here. */
struct shares {
    size_t rings;     /* the kernel's ring buffers: one or two for each CPU, each at least a page */
    size_t waiting;   /* records that wait to be sorted by time */
    size_t mappings;  /* which file lies where in each process */
    size_t perf_maps; /* of all processes together; one process may take half */
    size_t frames;    /* as they are printed */
    size_t stacks;    /* --folded */
    size_t debug;     /* information, for --inline: half of the shares of the three above */
    size_t tables;    /* for unwinding; few programs need more than some megabytes, of the rest */
};

static struct shares
shares_of(const struct options *o)
{
    size_t eighth = o->memory / 8, halves = o->inlined ? 2 : 1;
    return (struct shares){.rings = eighth,
                           .waiting = eighth,
                           .mappings = eighth,
                           .perf_maps = 2 * eighth / halves,
                           .frames = eighth / halves,
                           .stacks = eighth / halves,
                           .debug = 2 * eighth,
                           .tables = 2 * eighth};
}

/* Clamp what the kernel's settings limit, with a message. */
static void
clamp_options(struct work *w)
{
    struct attach_options *a = &w->options->attach;
    char digits[NUM_COMMAS];
    long most = procfs_setting("kernel/perf_event_max_stack", 127);
    if (a->max_depth > most) {
        diag_note(&w->diag,
                  "--max-depth %d is over kernel.perf_event_max_stack: stacks have %.*s "
                  "frames at most",
                  a->max_depth, SPAN_ARG(num_commas(digits, (uint64_t)most)));
        a->max_depth = (uint16_t)most;
    }
}

/* Bytes of each CPU's ring buffer: a power of two. Where each switch of a thread has a sample, more
 * of them wait while the machine is busy: the share of folded stacks, if there are none, is theirs.
 * A CPU may have a second ring buffer, of a quarter of the size. */
static uint64_t
ring_size(const struct options *o)
{
    enum { RING_MOST = 4 << 20, RING_MOST_SWITCHES = 8 << 20 };
    const struct shares shares = shares_of(o);
    bool switches = o->attach.switches;
    uint64_t size = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t most = switches ? RING_MOST_SWITCHES : RING_MOST;
    uint64_t all = shares.rings + (switches && !o->folded ? shares.stacks : 0);
    while (size < most && (size * 2 + size / 2) * o->target.cpus.count <= all)
        size *= 2;
    return size;
}

/* The file that is written; "-" is standard output. */
static const char *
file_name(const struct options *o)
{
    const char *name = o->data != NULL ? o->data : o->text;
    return name != NULL ? name : "-";
}

/* Create the command's process. Where the samples go to standard output, what the command prints
 * there must not come among them. */
static bool
prepare_command(struct work *w)
{
    const struct options *o = w->options;
    bool to_stderr = strcmp(file_name(o), "-") == 0;
    if (o->target.kind != TARGET_COMMAND ||
        command_prepare(&w->command, o->target.command, to_stderr))
        return true;
    diag_error(&w->diag, NOWHERE, "no process can be started: %s", strerror(errno));
    return false;
}

static bool
start_command(struct work *w)
{
    int error = command_start(&w->command);
    if (error != 0)
        diag_error(&w->diag, (struct place){w->options->target.command[0], 0}, "%s",
                   error == EPIPE ? "its process was killed before it could start"
                                  : strerror(error));
    else if (w->command.is_protected)
        diag_warn(&w->diag, NULL, (struct place){w->options->target.command[0], 0},
                  "runs and is not recorded: its file is set-user-ID, has capabilities, or may not "
                  "be read by you, so the kernel ends the recording; record as root");
    return error == 0;
}

/* Create the uprobes, and take the events of the command line or the usual one. */
static bool
prepare_events(struct work *w)
{
    static const struct event cycles = {.name = {"cycles", 6}, .type = PERF_TYPE_HARDWARE};
    struct events *e = &w->options->events;
    const char *problem = NULL;
    if (w->options->off_cpu)
        problem = events_parse(e, SPAN("sched:sched_switch"));
    if (w->options->wall)
        problem = events_parse(e, SPAN("context-switches,cpu-clock"));
    if (problem == NULL)
        problem = events_prepare(e);
    if (problem != NULL) {
        diag_error(&w->diag, NOWHERE, "%s", problem);
        return false;
    }
    for (size_t i = 0; i < e->count; i++)
        eventset_add(&w->session.events, &e->events[i], &w->session.names);
    if (e->count == 0)
        eventset_add(&w->session.events, &cycles, &w->session.names);
    w->session.tracing = text_span(&e->tracing);
    return true;
}

/* Say so where the kernel does not show where threads are switched out. */
static void
note_waits(struct work *w)
{
    if (w->options->wall && event_flag(&w->session.events.events[0], FLAG_EXCLUDE_KERNEL))
        diag_note(&w->diag, "the waits of --wall have times and no stacks: threads wait in the "
                            "kernel, which is not sampled");
}

/* Raise our priority, if that is permitted, so that busy processes do not keep us from attaching
 * and reading. The process of the command exists already, and keeps its priority. */
static bool
attach(struct work *w)
{
    struct options *o = w->options;
    setpriority(PRIO_PROCESS, 0, -20);
    helper_init(true);
    counters_init(&w->counters, &w->session, &o->target.cpus);
    w->counters.ring_size = ring_size(o);
    w->began = clock_now();
    if (!attach_events(&w->session, &o->target, &w->command, &o->attach, &w->diag))
        return false;
    note_waits(w);
    return attach_target(&w->counters, &w->session, &o->target, &w->command, &o->attach,
                         &w->filtered, &w->diag);
}

/* Follow the perf maps and binaries of the processes. Return false, after a message, if one of
 * --perf-map cannot be read. */
static bool
follow_processes(struct work *w)
{
    w->naming.symbols.live = liveprocs_new(&w->diag, shares_of(w->options).perf_maps);
    for (size_t i = 0; i < w->options->nmaps; i++) {
        const struct map_option *m = &w->options->maps[i];
        const char *problem = liveprocs_give_map(w->naming.symbols.live, m->pid, m->path);
        if (problem != NULL)
            diag_error(&w->diag, (struct place){m->path, 0}, "%s", problem);
    }
    return w->diag.status == 0;
}

static bool
relieve(void *sampler)
{
    return sampler_relieve(sampler);
}

/* How long debug information of a file may be read, and that of all files after the recording: half a
 * second, and one more for each gigabyte of --memory, which decides on how large it may be. */
static uint64_t
debug_time(const struct options *o)
{
    return CLOCK_SECOND / 2 + (o->memory >> 20) * (CLOCK_SECOND / 1024);
}

/* While debug information is read, empty the ring buffers as in any pause. After the recording, files of
 * other users may take half of the time for it, and not more because the machine is busy. */
static bool
pause_reading(void *ctx, bool trusted)
{
    struct work *w = ctx;
    uint64_t most = debug_time(w->options);
    if (!order_is_full(&w->timeline.order))
        sampler_relieve(&w->sampler);
    if (w->over == 0 && sampler_is_over(&w->sampler)) {
        w->over = clock_now();
        w->used = clock_used();
    }
    return w->over == 0 ||
           (trusted ? clock_used() - w->used < most : clock_now() - w->over < most / 2);
}

/* What runs already. Of a command nothing does: its exec is recorded. */
static void
describe_tasks(struct work *w, struct rawsink *sink)
{
    const struct target *t = &w->options->target;
    struct tasks tasks = {
        .sink = sink, .events = &w->session.events, .pause = relieve, .ctx = &w->sampler};
    struct numbers pids = {0};
    if (!target_has_tasks(t))
        tasks_was_read(&tasks, procfs_processes(&pids));
    for (size_t i = 0; i < t->ids.count; i++) {
        int32_t pid = procfs_process_of(t->ids.at[i]);
        if (tasks_was_read(&tasks, pid >= 0) && !numbers_has(&pids, pid))
            numbers_add(&pids, pid);
    }
    if (tasks.error != 0)
        diag_warn(&w->diag, NULL, NOWHERE, "/proc: what runs already could not be listed: %s",
                  strerror(tasks.error));
    for (size_t i = 0; i < pids.count && !sampler_relieve(&w->sampler); i++) {
        tasks.error = 0;
        tasks_process(&tasks, pids.at[i]);
        if (tasks.error != 0 && tasks.error != ETIMEDOUT) /* which is reported at the end */
            diag_warn(&w->diag, "processes that cannot be read", NOWHERE,
                      "process %d: cannot be read from /proc: %s: its functions may have no names",
                      (int)pids.at[i], strerror(tasks.error));
    }
    w->sampler.processes = pids.count + (w->command.pid != 0);
    tasks_free(&tasks);
    free(pids.at);
}

/* Where the kernel's code lies. Its names are read then, which takes a tenth of a second, and several
 * times that on a busy machine: before the recording begins, whose ring buffers would overflow. */
static void
describe_kernel(struct work *w, struct rawsink *sink)
{
    struct tasks tasks = {.sink = sink, .events = &w->session.events};
    if (!w->options->attach.user)
        tasks_kernel(&tasks, w->options->data != NULL);
    if (tasks.error != 0)
        diag_warn(&w->diag, NULL, NOWHERE, "/proc/modules: %s: functions of modules have no names",
                  strerror(tasks.error));
    tasks_free(&tasks);
}

/* Return true if the counters count since they were opened: those of single threads. */
static bool
counts_already(const struct work *w)
{
    enum target_kind kind = w->options->target.kind;
    return !w->filtered && (kind == TARGET_PROCESSES || kind == TARGET_THREADS);
}

/* Begin to count, or start the command, which its exec does. */
static bool
begin(struct work *w)
{
    const struct target *t = &w->options->target;
    if (w->options->wall)
        threads_begin(&w->threads, counts_already(w) ? w->began : clock_now());
    if (t->kind == TARGET_COMMAND)
        return start_command(w);
    counters_enable(&w->counters, 0);
    return true;
}

/* What the kernel counted as lost and did not report yet. */
static void
add_lost(struct work *w, struct rawsink *sink)
{
    struct tasks tasks = {.sink = sink, .events = &w->session.events};
    uint64_t lost = counters_lost(&w->counters);
    if (lost > w->sampler.lost) {
        tasks_lost(&tasks, lost - w->sampler.lost);
        w->sampler.lost = lost;
    }
    tasks_free(&tasks);
}

/* Add what is known of threads at the end. */
static void
stop_threads(struct work *w)
{
    size_t missing = threads_stop(&w->threads, w->sampler.stopped);
    if (missing > 0)
        diag_note(&w->diag,
                  "of %zu thread%s that waited all the time the stack could not be read in time",
                  missing, missing == 1 ? "" : "s");
}

/* Return the way of records in the order of their times; where all tasks had to be recorded, of
 * those that are wanted. */
static struct rawsink *
in_order(struct work *w, struct recordsink *to)
{
    const struct target *t = &w->options->target;
    if (w->filtered) {
        taskfilter_init(&w->filter, t->kind == TARGET_THREADS, to);
        w->filter.notice = running_add;
        w->filter.ctx = &w->running;
        for (size_t i = 0; i < t->ids.count; i++)
            taskfilter_keep(&w->filter, (uint32_t)t->ids.at[i]);
        to = &w->filter.sink;
    }
    timeline_init(&w->timeline, &w->session.events, to, shares_of(w->options).waiting);
    w->timeline.pause = relieve;
    w->timeline.ctx = &w->sampler;
    if (attach_copies_stacks(&w->session.events)) {
        w->timeline.shorten = unwinding_shorten;
        w->timeline.shortener = &w->unwinding;
    }
    return &w->timeline.sink;
}

/* Return the way of records to text. */
static struct rawsink *
make_text(struct work *w)
{
    const struct options *o = w->options;
    struct recordsink *records = &w->text.sink;
    const struct session *session = &w->session;
    const struct shares shares = shares_of(o);
    w->naming.symbols.maps_limit = shares.mappings;
    w->naming.symbols.debug_limit = shares.debug;
    w->naming.symbols.debug_pace = (struct debuginfo_pace){pause_reading, w, debug_time(o)};
    bool unwinds = attach_copies_stacks(&session->events);
    if (unwinds)
        unwinding_init(&w->unwinding, &session->events, recordsource_walker(&w->text.source));
    if (o->off_cpu) {
        const char *problem = offcpu_init(&w->offcpu, session, records, o->min_block);
        if (problem != NULL)
            diag_warn(&w->diag, NULL, NOWHERE, "%s", problem);
        records = &w->offcpu.sink;
        session = &w->offcpu.session;
    }
    if (o->wall) {
        wall_init(&w->wall, session, records, o->min_block);
        records = &w->wall.sink;
        session = &w->wall.session;
    }
    textout_init(&w->text, session, &w->naming, &w->out, &w->diag);
    w->text.folded = o->folded;
    w->text.frames_limit = shares.frames;
    w->text.stacks_limit = shares.stacks;
    return in_order(w, unwinds ? unwinding_sink(&w->unwinding, records) : records);
}

/* Give records of processes to what knows their maps, then to the unwinding. */
static struct work *
work_of(struct recordsink *mapped)
{
    return (struct work *)(void *)((char *)mapped - offsetof(struct work, mapped));
}

static void
take_maps(struct recordsink *mapped, const struct record *r)
{
    struct work *w = work_of(mapped);
    if (r->type != PERF_RECORD_SAMPLE) {
        heldfiles_see(liveprocs_files(w->naming.symbols.live), r);
        recordsource_take(&w->maps, r);
    }
    w->unwinding.sink.record(&w->unwinding.sink, r);
}

static void
pass_round(struct recordsink *mapped)
{
    struct work *w = work_of(mapped);
    w->unwinding.sink.round(&w->unwinding.sink);
}

static void
finish_next(struct recordsink *mapped)
{
    struct work *w = work_of(mapped);
    w->unwinding.sink.finish(&w->unwinding.sink);
}

/* Return the way of records to a file. Where stacks are unwound, the processes' maps are needed. */
static struct rawsink *
make_data(struct work *w)
{
    bool unwinds = attach_copies_stacks(&w->session.events);
    if (unwinds) {
        w->unwound.tracing = w->session.tracing;
        unwinding_describe(&w->session.events, &w->unwound);
    }
    dataout_init(&w->data, &w->file, unwinds ? &w->unwound : &w->session, &w->diag);
    if (!unwinds)
        return w->filtered ? in_order(w, &w->data.decoded) : &w->data.sink;
    w->naming.symbols.maps_limit = shares_of(w->options).mappings;
    frametab_init(&w->frames, NULL);
    w->facts.events = w->session.events;
    recordsource_init(&w->maps, &w->naming, &w->diag, &w->frames);
    recordsource_begin(&w->maps, "the recording", &w->facts);
    unwinding_init(&w->unwinding, &w->session.events, recordsource_walker(&w->maps));
    w->unwinding.makes_bytes = true;
    w->mapped = (struct recordsink){take_maps, pass_round, finish_next};
    unwinding_sink(&w->unwinding, &w->data.decoded);
    return in_order(w, &w->mapped);
}

/* Set the way from the ring buffers to the output. */
static struct rawsink *
make_sinks(struct work *w)
{
    const struct options *o = w->options;
    struct rawsink *sink = o->data != NULL ? make_data(w) : make_text(w);
    sink = mapkeeper_init(&w->keeper, &w->session.events, w->naming.symbols.live, sink);
    if (o->data != NULL)
        mapkeeper_add_lines(&w->keeper);
    w->unwinding.max_depth = o->attach.max_depth;
    w->text.source.unwinder.limit = w->maps.unwinder.limit = shares_of(o).tables;
    if (o->wall)
        sink = threads_init(&w->threads, &w->session.events, &o->target, w->filtered, sink);
    return sink;
}

/* Open the file that is written; what it holds stays. Return false, after a message, if it cannot be
 * written, or is a terminal and would get perf.data. */
static bool
open_output(struct work *w)
{
    if (!outfile_open(&w->file, file_name(w->options), &w->diag))
        return false;
    pipe_enlarge(w->file.fd);
    if (w->options->data == NULL)
        out_open(&w->out, w->file.fd, outfile_place(&w->file).file);
    if (w->options->data == NULL || !isatty(w->file.fd))
        return true;
    diag_error(&w->diag, outfile_place(&w->file),
               "is a terminal, and the records are not text: write to a file or "
               "a pipe, or leave -o out to get text");
    return false;
}

/* End a command that runs on after the recording. */
static void
end_command(struct work *w, enum sampler_end end)
{
    bool ours = end == END_DURATION || (end == END_SIGNAL && stop_was_sent());
    if (w->command.pid != 0 && ours && !command_has_ended(&w->command, false))
        kill(w->command.pid, end == END_SIGNAL ? stop_signal() : SIGTERM);
}

/* Say so if the command ignores the signal that is to end it, as some servers do with SIGINT. */
static void
await_command(struct work *w, enum sampler_end end)
{
    enum { TWO_SECONDS = 2000 };
    bool asked = end == END_DURATION || end == END_SIGNAL;
    if (asked && !sampler_await_command(&w->sampler, TWO_SECONDS))
        diag_note(&w->diag,
                  "process %d still runs, two seconds after the signal that was to end it: "
                  "stackrecord waits for it; Ctrl-C ends stackrecord alone, 'kill -KILL %d' ends "
                  "the process",
                  (int)w->command.pid, (int)w->command.pid);
    command_has_ended(&w->command, true);
}

/* The recording, and the process that records, for await_at_exit(): a copy of it waits for nothing. */
static struct work *recording;
static pid_t recorder;

/* A file that cannot be written, or no memory, ends the program in the midst of the recording. The
 * command goes on; so that nobody takes it for ended, we stay as long as it runs. */
static void
await_at_exit(void)
{
    enum { HALF_A_SECOND = 500 };
    struct work *w = recording;
    if (getpid() != recorder || w->command.pid == 0 || command_has_ended(&w->command, false))
        return;
    counters_disable(&w->counters);
    diag_error(&w->diag, NOWHERE,
               "the command goes on as process %d, and is not recorded any more: stackrecord waits "
               "for it",
               (int)w->command.pid);
    while (stop_signal() == 0 && !sampler_await_command(&w->sampler, HALF_A_SECOND))
        continue;
    if (stop_signal() == 0)
        return;
    end_command(w, END_SIGNAL);
    await_command(w, END_SIGNAL);
}

/* Return the command's exit status, unless we ended it after the duration, or something failed. */
static int
status_of(struct work *w, enum sampler_end end)
{
    if (w->command.pid == 0)
        return w->diag.status;
    await_command(w, end);
    if (w->diag.status != 0 || (end == END_DURATION && w->command.status == 128 + SIGTERM))
        return w->diag.status;
    return w->command.status;
}

static const char *
why_no_samples(const struct work *w, enum sampler_end end)
{
    if (end == END_SIGNAL)
        return "a signal ended the recording before there was one";
    if (w->options->off_cpu)
        return "what was recorded never began to wait, or waited all the time";
    if (!attach_counts_time(&w->session.events.events[0]))
        return "the event did not happen often enough in what was recorded";
    return "nothing that was recorded ran on a CPU for long enough: record longer, or more often "
           "(-F)";
}

/* Name the processes that did not let us look at their files or memory in time. */
static void
explain_silent(struct work *w)
{
    struct text comm = {0};
    for (int32_t pid; (pid = helper_next_silent()) != 0;) {
        if (!procfs_read_of(&comm, pid, "comm"))
            text_add(&comm, SPAN("it has ended"));
        diag_warn(&w->diag, "processes that did not answer", NOWHERE,
                  "process %d (%.*s): its file system or memory did not answer in time: its "
                  "functions may have "
                  "no names",
                  (int)pid, SPAN_ARG(span_trim(text_span(&comm))));
    }
    free(comm.ptr);
}

static void
explain(struct work *w, enum sampler_end end)
{
    char lost[NUM_COMMAS], samples[NUM_COMMAS];
    const struct sampler *s = &w->sampler;
    if (end == END_FAILED)
        diag_error(&w->diag, NOWHERE, "the recording broke off: %s", strerror(errno));
    if (s->lost > 0)
        diag_note(
            &w->diag,
            "%.*s records were lost, beside %.*s samples that were not: the ring buffers were "
            "full, since the output was read slowly, the machine was busy, or they are small: "
            "lower -F, or raise --memory",
            SPAN_ARG(num_commas(lost, s->lost)), SPAN_ARG(num_commas(samples, s->samples)));
    if (s->lost_tasks > 0)
        diag_note(&w->diag,
                  "%.*s records of the names, mappings, starts and ends of processes were lost, "
                  "which came faster than they are read: some functions may have no names",
                  SPAN_ARG(num_commas(lost, s->lost_tasks)));
    if (s->throttled > 0)
        diag_note(&w->diag,
                  "the kernel paused sampling %.*s times, since more samples came than "
                  "kernel.perf_event_max_sample_rate permits: lower -F, or raise -c or that limit "
                  "(sysctl)",
                  SPAN_ARG(num_commas(samples, s->throttled)));
    if (w->text.parts > 0)
        diag_note(&w->diag,
                  "the stacks were printed in %.*s parts, since they take more than their share of "
                  "--memory (%.*s MB): counts of equal lines add up, as all that read them do",
                  SPAN_ARG(num_commas(samples, w->text.parts + 1)),
                  SPAN_ARG(num_commas(lost, w->text.stacks_limit >> 20)));
    uint64_t too_short = w->options->wall ? w->wall.too_short : w->offcpu.too_short;
    if (too_short > 0)
        diag_note(&w->diag, "%.*s waits shorter than --min-block=%llu are left out",
                  SPAN_ARG(num_commas(samples, too_short)),
                  (unsigned long long)w->options->min_block);
    if (s->samples == 0 && !w->options->wall && w->diag.status == 0 && !w->command.is_protected)
        diag_note(&w->diag, "no samples: %s", why_no_samples(w, end));
}

/* Record. Return the exit status. */
static int
record(struct work *w)
{
    struct rawsink *sink = make_sinks(w);
    struct command *command = w->command.pid != 0 ? &w->command : NULL;
    if (!open_output(w))
        return w->diag.status;
    /* What perf.data replaces is gone with the first record. */
    const bool early = w->options->data == NULL && !counts_already(w);
    if (early)
        describe_kernel(w, sink);
    if (!sampler_init(&w->sampler, sink, &w->counters, command)) {
        diag_error(&w->diag, NOWHERE, "the recording cannot begin: %s", strerror(errno));
        outfile_drop(&w->file);
        return w->diag.status;
    }
    w->sampler.duration = w->options->duration;
    w->sampler.live_processes = w->naming.symbols.live;
    w->sampler.running = w->filtered ? &w->running : NULL;
    if (!begin(w)) {
        outfile_drop(&w->file);
        return w->command.status;
    }
    recording = w;
    recorder = getpid();
    atexit(await_at_exit);
    if (w->options->data == NULL && !outfile_empty(&w->file))
        diag_error(&w->diag, outfile_place(&w->file), "%s", strerror(errno));
    if (!early)
        describe_kernel(w, sink);
    describe_tasks(w, sink);
    enum sampler_end end = sampler_run(&w->sampler);
    add_lost(w, sink);
    w->offcpu.ended = w->sampler.stopped;
    if (w->options->wall)
        stop_threads(w);
    end_command(w, end);
    sampler_finish(&w->sampler);
    if (w->options->data == NULL)
        out_close(&w->out);
    if (profile_is_full(&w->text.profile))
        diag_error(&w->diag, NOWHERE, DECIMAL_FULL);
    liveprocs_explain(w->naming.symbols.live);
    explain_silent(w);
    explain(w, end);
    return status_of(w, end);
}

static int
list_events(struct work *w)
{
    out_stdout(&w->out);
    char *problem = events_print(&w->out);
    out_close(&w->out);
    if (problem != NULL)
        diag_note(&w->diag, "%s", problem);
    free(problem);
    return w->diag.status;
}

static void
remove_uprobes(struct work *w)
{
    const char *problem = events_remove_uprobes(&w->options->events);
    if (problem != NULL)
        diag_error(&w->diag, NOWHERE, "%s", problem);
    events_free(&w->options->events);
}

int
main(int argc, char **argv)
{
    static struct work w;
    struct options options;
    options_read(&options, argc, argv);
    w.options = &options;
    helper_init(true);
    w.naming.no_marks = options.no_marks;
    w.naming.symbols = (struct symbol_options){.demangle = DEMANGLE_SHORT,
                                               .inlined = options.inlined,
                                               .files = {.symfs = "",
                                                         .cache = dsofile_cache_dir(),
                                                         .debug = options.debug,
                                                         .debuginfod = debuginfod_cache_dir(),
                                                         .info = options.inlined}};
    diag_init(&w.diag, "stackrecord");
    w.diag.quiet = options.quiet;
    if (options.list)
        return list_events(&w);
    if (options.parent != 0 && !stop_with_parent(options.parent)) {
        diag_error(&w.diag, NOWHERE, "--parent: process %d has ended, so nothing is recorded",
                   (int)options.parent);
        return w.diag.status;
    }
    if (!target_find(&options.target, &w.diag))
        return w.diag.status;
    w.naming.symbols.files.servers = debuginfod_start(options.debuginfod, &w.diag);
    clamp_options(&w);
    bool ready = follow_processes(&w) && prepare_events(&w) && prepare_command(&w) && attach(&w);
    int status = ready ? record(&w) : w.diag.status;
    liveprocs_free(w.naming.symbols.live);
    counters_free(&w.counters);
    remove_uprobes(&w);
    diag_finish(&w.diag);
    return status != 0 ? status : w.diag.status;
}

#include "cmd/stackrecord/options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "common/base/num.h"
#include "common/machine/readopt.h"
#include "common/tracepoint/syscallnames.h"

enum {
    EVENTS = 1,
    FILTER,
    FREQUENCY,
    PERIOD,
    PROCESSES,
    THREADS,
    ALL,
    CPUS,
    CGROUP,
    NAME,
    DURATION,
    MAX_DEPTH,
    CALL_GRAPH,
    MEMORY,
    OFF_CPU,
    WALL,
    TURNS,
    SYSCALLS,
    MIN_BLOCK,
    PARENT,
    PERF_MAP,
    KEEP,
    KEEP_FOR,
    SLICE
};

#define AT(member) OPT_AT(struct options, member)

static const struct opt table[] = {
    OPT_HEADING("What to record"),
    {"pid", 'p', OPT_TEXT, true, PROCESSES, "PID,...",
     "these processes: all threads, and what they start"},
    {"name", 'n', OPT_TEXT, true, NAME, "NAME", "the newest process of this name"},
    {"all", 'a', OPT_FLAG, true, ALL, NULL, "all processes"},
    {"tid", 't', OPT_TEXT, true, THREADS, "TID,...", "these threads alone"},
    {"cgroup", 0, OPT_TEXT, true, CGROUP, "PATH", "the processes of this cgroup"},
    {"cpu", 'C', OPT_TEXT, true, CPUS, "CPU,...", "only on these CPUs: 0-3,8"},
    OPT_HEADING("How"),
    {"duration", 0, OPT_NUM, true, DURATION, "SECONDS", "end after this time"},
    {"freq", 'F', OPT_INT, true, FREQUENCY, "HZ", "samples a second (99)"},
    {"wall", 0, OPT_FLAG, true, WALL, NULL,
     "record what runs and what waits: each thread's whole time, in microseconds"},
    {"off-cpu", 0, OPT_FLAG, true, OFF_CPU, NULL,
     "record where threads wait, and how long: microseconds, not samples"},
    {"syscalls", 0, OPT_MAYBE_TEXT, true, SYSCALLS, "[=NAME,...]",
     "record system calls, with their stacks, arguments, results and nanoseconds"},
    {"event", 'e', OPT_TEXT, true, EVENTS, "EVENT,...",
     "sample these events: cycles, cpu-clock, sched:sched_switch, libc.so.6:malloc"},
    OPT_HEADING("Output"),
    {"output", 'o', OPT_TEXT, true, AT(data), "FILE", "write perf.data to this file, not text"},
    {"text", 0, OPT_TEXT, true, AT(text), "FILE",
     "write the text to this file, also beside -o; standard output is left to the command"},
    {"folded", 0, OPT_FLAG, true, AT(folded), NULL,
     "add stacks up in memory, and print them folded at the end"},
    {"header", 0, OPT_FLAG, true, AT(header), NULL,
     "print before the samples what is recorded, as comments"},
    {"keep-stacks", 0, OPT_FLAG, true, AT(keep_stacks), NULL,
     "with -o: write the copies of stacks too, for perf-script to unwind"},
    OPT_HEADING("Events"),
    {"strings", 0, OPT_FLAG, true, AT(strings), NULL,
     "with --syscalls: read paths and other strings from the processes' memory"},
    {"filter", 0, OPT_TEXT, true, FILTER, "FILTER",
     "of the events of the -e before, only those for which this is true: 'len > 100'"},
    {"list", 0, OPT_FLAG, true, AT(list), NULL, "print the events of this machine"},
    {"list-vars", 0, OPT_TEXT, true, AT(list_vars), "FILE:FUNCTION",
     "print the variables that -e FILE:FUNCTION(VARIABLE,...) can record"},
    {"list-lines", 0, OPT_TEXT, true, AT(list_lines), "FILE:FUNCTION",
     "print the function's source, with the lines that -e FILE:SOURCE:LINE can record"},
    OPT_HEADING("Samples"),
    {"count", 'c', OPT_INT, true, PERIOD, "PERIOD",
     "take a sample each time the event has happened PERIOD times"},
    {"user", 0, OPT_FLAG, true, AT(attach.user), NULL, "only code in user mode"},
    {"kernel", 0, OPT_FLAG, true, AT(attach.kernel), NULL, "only code of the kernel"},
    {"turns", 0, OPT_MAYBE_NUM, true, TURNS, "[=MS]",
     "with --wall: keep turns of event loops apart that took as many milliseconds (50)"},
    {"min-block", 0, OPT_INT, true, MIN_BLOCK, "US",
     "with --wall and --off-cpu: leave out shorter waits (1)"},
    OPT_HEADING("Stacks and names"),
    {"call-graph", 0, OPT_TEXT, true, CALL_GRAPH, "HOW[,BYTES]",
     "how callers are found: auto, fp, dwarf, none"},
    {"max-depth", 0, OPT_INT, true, MAX_DEPTH, "FRAMES", "cut stacks to the leaf's callers"},
    {"inline", 0, OPT_FLAG, true, AT(inlined), NULL, "print the calls that the compiler inlined"},
    {"lines", 0, OPT_FLAG, true, AT(lines), NULL, "print the source line of each frame"},
    {"no-marks", 0, OPT_FLAG, true, AT(no_marks), NULL,
     "do not add [cut] or [lost] to stacks whose callers are missing"},
    {"no-js-names", 0, OPT_FLAG, true, AT(no_js_names), NULL,
     "do not read the names of JavaScript functions from the memory of node"},
    {"perf-map", 0, OPT_TEXT, true, PERF_MAP, "PID=FILE",
     "the names of a process's JIT-compiled code are in this perf map"},
    {"debug-dir", 0, OPT_TEXT, true, AT(debug), "DIR", "debug symbols are in DIR (/usr/lib/debug)"},
    {"debuginfod", 0, OPT_FLAG, true, AT(debuginfod), NULL,
     "fetch missing debug files from the servers of $DEBUGINFOD_URLS"},
    OPT_HEADING("Recording always"),
    {"archive", 0, OPT_TEXT, true, AT(archive.folder), "DIR",
     "record always: write folded stacks to this folder, a file a minute, and keep the newest"},
    {"keep", 0, OPT_TEXT, true, KEEP, "SIZE", "with --archive: what its files may take (1G)"},
    {"keep-for", 0, OPT_TEXT, true, KEEP_FOR, "TIME",
     "with --archive: how much time to keep at most: 12h, 7d"},
    {"slice", 0, OPT_TEXT, true, SLICE, "TIME", "with --archive: the time of a file (1m)"},
    OPT_HEADING("Other"),
    {"memory", 0, OPT_INT, true, MEMORY, "MB", "limit memory to MB megabytes, at least 16 (128)"},
    {"parent", 0, OPT_INT, true, PARENT, "PID",
     "end when the process that has started this one, PID, ends"},
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "stackrecord",
    .synopsis = "[option ...] -p PID | -n NAME | -a | -- command [argument ...]",
    .about = "Samples what processes do, and prints the stacks as perf script does.",
    .table = table,
    .usage_status = 2,
};

/* Set the filter of the events from `first` on. */
static void
set_filter(struct options *o, size_t first, const struct opt_reader *r)
{
    if (first == o->events.count)
        opt_usage(&program, "option --%s: it stands after the -e with the events that it is for",
                  r->name);
    for (size_t i = first; i < o->events.count; i++) {
        const struct event *e = &o->events.events[i];
        if (e->type != PERF_TYPE_TRACEPOINT)
            opt_usage(&program, "option --%s: '%.*s' has no fields; tracepoints and probes have",
                      r->name, SPAN_ARG(e->name));
    }
    events_set_filter(&o->events, first, r->value);
}

static void
set_target(struct options *o, enum target_kind kind)
{
    if (o->target.kind != TARGET_NONE && o->target.kind != kind)
        opt_usage(&program, "-p, -t, -n, -a, --cgroup and a command exclude each other");
    o->target.kind = kind;
}

/* Return the value of the option, which must be from `least` to `most`. */
static long
number_from(const struct opt_reader *r, long least, long most)
{
    if (r->number < least || r->number > most)
        opt_usage(&program, "option --%s: %s is not from %s to %s", r->name, r->value,
                  NUM_TEXT((uint64_t)least), NUM_TEXT((uint64_t)most));
    return r->number;
}

/* Return the value of the option in bytes. */
static uint64_t
size(const struct opt_reader *r)
{
    const uint64_t least = 1 << 20, factors[] = {1 << 10, 1 << 20, 1 << 30, UINT64_C(1) << 40};
    uint64_t bytes;
    if (!num_unit(span_cstr(r->value), "KMGT", factors, &bytes) || bytes < least)
        opt_usage(&program, "option --%s: '%s' is not a size from 1M, such as 500M or 2G", r->name,
                  r->value);
    return bytes;
}

static long
number(const struct opt_reader *r, long most)
{
    return number_from(r, 1, most);
}

/* Set the call graph from "auto", "fp", "dwarf" or "none". After "auto" and "dwarf", ",BYTES" may
 * say how much of each stack to copy. */
static void
set_call_graph(struct options *o, const struct opt_reader *r)
{
    static const char *const names[] = {"auto", "fp", "dwarf", "none"}; /* enum call_graph */
    struct span text = span_cstr(r->value);
    size_t comma = span_find(text, ',');
    struct span how = span_head(text, comma != SPAN_NONE ? comma : text.len);
    unsigned i = 0;
    while (i < sizeof names / sizeof *names && !span_eq(how, span_cstr(names[i])))
        i++;
    bool copies = i == CALL_GRAPH_AUTO || i == CALL_GRAPH_DWARF;
    uint64_t bytes = 0;
    if (i == sizeof names / sizeof *names || (comma != SPAN_NONE && !copies))
        opt_usage(&program, "option --%s: '%s' is not auto[,BYTES], fp, dwarf[,BYTES] or none",
                  r->name, r->value);
    if (comma != SPAN_NONE && (!num_u64(span_from(text, comma + 1), &bytes) ||
                               bytes < ATTACH_STACK_LEAST || bytes > ATTACH_STACK_MAX))
        opt_usage(&program, "option --%s: '%s': from %d to %d bytes of each stack can be copied",
                  r->name, r->value, ATTACH_STACK_LEAST, ATTACH_STACK_MAX);
    o->attach.call_graph = i;
    o->attach.stack = (uint32_t)bytes & ~7U; /* whole words of eight bytes */
}

bool
options_names(const struct options *o)
{
    return o->data == NULL || o->text != NULL;
}

bool
options_prints(const struct options *o)
{
    return options_names(o) && o->archive.folder == NULL;
}

struct shares
options_shares(const struct options *o)
{
    size_t eighth = o->memory / 8, halves = o->inlined || o->lines ? 2 : 1;
    return (struct shares){.rings = eighth,
                           .waiting = eighth,
                           .mappings = eighth / 2,
                           .code_names = eighth / 2,
                           .perf_maps = 2 * eighth / halves,
                           .js_memory = eighth / 2,
                           .frames = eighth / halves,
                           .stacks = eighth / halves,
                           .debug = 2 * eighth,
                           .tables = 2 * eighth};
}

/* Check the options of an archive: it has samples of one event, and excludes other outputs. */
static void
check_archive(struct options *o)
{
    struct archive_options *a = &o->archive;
    if (a->folder == NULL && (a->keep > 0 || a->keep_for > 0 || a->slice > 0))
        opt_usage(&program, "--keep, --keep-for and --slice go with --archive");
    if (a->folder == NULL)
        return;
    if (o->data != NULL || o->text != NULL || o->folded || o->header)
        opt_usage(&program, "--archive goes with none of -o, --text, --folded, --header");
    if (o->derive.wall || o->derive.off_cpu || o->derive.syscalls)
        opt_usage(&program, "--archive keeps samples: --wall, --off-cpu and --syscalls do not go "
                            "with it");
    if (o->events.count > 1)
        opt_usage(&program, "--archive adds up the samples of one event, and there are several");
    a->keep = a->keep > 0 ? a->keep : UINT64_C(1) << 30;
    a->slice = a->slice > 0 ? a->slice : 60;
}

/* Refuse names that are of no system call, and options that cannot be combined with --syscalls. */
static void
check_syscalls(const struct options *o)
{
    struct span names[2][SYSCALLNAMES_MAX];
    struct utsname machine;
    if (o->strings && !o->derive.syscalls)
        opt_usage(&program, "--strings goes with --syscalls");
    if (!o->derive.syscalls)
        return;
    if (o->events.count > 0 || o->attach.frequency > 0 || o->attach.period > 0 || o->derive.wall ||
        o->derive.off_cpu)
        opt_usage(&program, "--syscalls records every call: -e, -F, -c, --wall and --off-cpu do "
                            "not go with it");
    if (o->attach.user || o->attach.kernel)
        opt_usage(&program, "--syscalls has the user's part of stacks: --user and --kernel do not "
                            "go with it");
    uname(&machine);
    for (size_t i = 0; i < 2; i++)
        syscallnames_of(span_cstr(machine.machine), i > 0, names[i]);
    for (struct span rest = o->derive.calls; rest.len > 0;) {
        struct span name = span_take(&rest, ',');
        if (name.len == 0 || (!span_eq_any(name, names[0], SYSCALLNAMES_MAX) &&
                              !span_eq_any(name, names[1], SYSCALLNAMES_MAX)))
            opt_usage(&program, "option --syscalls: no system call '%.*s' is known on %s",
                      SPAN_ARG(name), machine.machine);
    }
}

static void
check(struct options *o)
{
    if (o->list || o->list_vars != NULL || o->list_lines != NULL)
        return;
    if (o->target.kind == TARGET_NONE && o->target.cpus.count > 0)
        o->target.kind = TARGET_SYSTEM;
    if (o->target.kind == TARGET_NONE)
        opt_usage(&program, "what is to be recorded? -p PID, -n NAME, -a, or a command after '--'");
    if (o->attach.frequency > 0 && o->attach.period > 0)
        opt_usage(&program, "-F and -c exclude each other");
    if (o->derive.off_cpu &&
        (o->events.count > 0 || o->attach.frequency > 0 || o->attach.period > 0))
        opt_usage(&program, "--off-cpu records every wait: -e, -F and -c do not go with it");
    if (o->derive.wall && o->derive.off_cpu)
        opt_usage(&program, "--wall has the waits of --off-cpu: give one of them");
    if (o->derive.wall && (o->events.count > 0 || o->attach.period > 0))
        opt_usage(&program, "--wall has events of its own: -e and -c do not go with it");
    if (o->derive.wall && o->attach.call_graph == CALL_GRAPH_NONE)
        opt_usage(&program, "--wall is about stacks: --call-graph none does not go with it");
    if (o->derive.turns > 0 && !o->derive.wall)
        opt_usage(&program, "--turns goes with --wall");
    if (o->derive.turns > 0 && o->folded)
        opt_usage(&program, "--folded adds turns up: --turns does not go with it");
    if (o->derive.min_block > 0 && !o->derive.off_cpu && !o->derive.wall)
        opt_usage(&program, "--min-block goes with --wall and --off-cpu");
    check_syscalls(o);
    if (o->folded && o->events.count > 1)
        opt_usage(&program, "--folded adds up the samples of one event, and there are several");
    if (!options_names(o) &&
        (o->folded || o->derive.min_block > 0 || o->no_marks || o->debuginfod || o->nmaps > 0))
        opt_usage(&program,
                  "--folded, --min-block, --no-marks, --debuginfod and "
                  "--perf-map are for what is printed: -o writes records as they are, and "
                  "--text FILE beside it prints");
    if (o->data != NULL && o->text != NULL && strcmp(o->data, o->text) == 0)
        opt_usage(&program, "-o and --text name one file: give each its own");
    if (o->header && (o->folded || !options_names(o)))
        opt_usage(&program, "--header goes with sample text: not with --folded, nor -o alone");
    if (o->lines && (o->folded || o->archive.folder != NULL))
        opt_usage(&program, "--lines goes with sample text: not with --folded, nor --archive");
    check_archive(o);
    if (o->keep_stacks && o->data == NULL)
        opt_usage(&program, "--keep-stacks goes with -o");
    if (o->attach.user && o->attach.kernel)
        opt_usage(&program, "--user and --kernel exclude each other");
}

void
options_read(struct options *o, int argc, char **argv)
{
    struct opt_reader r;
    size_t first = 0; /* of the events of the last -e */
    opt_start(&r, &program, o, argc, argv);
    *o = (struct options){.memory = (size_t)OPTIONS_MEMORY_MB << 20, .debug = "/usr/lib/debug"};
    for (int id; (id = opt_next(&r)) != OPT_DONE;) {
        switch (id) {
        case PROCESSES:
            set_target(o, TARGET_PROCESSES);
            readopt_numbers(&o->target.ids, &r, false);
            break;
        case THREADS:
            set_target(o, TARGET_THREADS);
            readopt_numbers(&o->target.ids, &r, false);
            break;
        case NAME:
            set_target(o, TARGET_PROCESSES);
            o->target.name = r.value;
            break;
        case ALL:
            set_target(o, TARGET_SYSTEM);
            break;
        case CPUS:
            readopt_numbers(&o->target.cpus, &r, true);
            break;
        case CGROUP:
            set_target(o, TARGET_CGROUP);
            o->target.cgroup = r.value;
            break;
        case EVENTS:
            first = o->events.count;
            readopt_events(&o->events, &r);
            break;
        case FILTER:
            set_filter(o, first, &r);
            break;
        case FREQUENCY:
            o->attach.frequency = (uint64_t)number(&r, INT32_MAX);
            break;
        case PERIOD:
            o->attach.period = (uint64_t)number(&r, LONG_MAX);
            break;
        case DURATION:
            if (!(r.real > 0 && r.real <= 1e9))
                opt_usage(&program, "option --%s: '%s' is not a time in seconds", r.name, r.value);
            o->duration = r.real;
            break;
        case CALL_GRAPH:
            set_call_graph(o, &r);
            break;
        case MAX_DEPTH:
            o->attach.max_depth = (uint16_t)number(&r, UINT16_MAX);
            break;
        case OFF_CPU:
            o->derive.off_cpu = o->attach.switches = true;
            break;
        case WALL:
            o->derive.wall = o->attach.switches = true;
            break;
        case TURNS:
            o->derive.turns = opt_maybe_count(&r, DERIVE_TURNS_MAX, DERIVE_TURNS);
            o->attach.boundaries = true;
            break;
        case SYSCALLS:
            o->derive.syscalls = o->attach.syscalls = true;
            o->derive.calls = r.value != NULL ? span_cstr(r.value) : SPAN("");
            break;
        case MIN_BLOCK:
            o->derive.min_block = (size_t)number(&r, LONG_MAX / 1000);
            break;
        case MEMORY:
            o->memory = (size_t)number_from(&r, OPTIONS_MEMORY_LEAST_MB, OPTIONS_MEMORY_MAX_MB)
                        << 20;
            break;
        case PERF_MAP:
            MEM_ADD(o->maps, o->nmaps, o->maps_cap, opt_map(&r));
            break;
        case KEEP:
            o->archive.keep = size(&r);
            break;
        case KEEP_FOR:
            o->archive.keep_for = opt_time(&r, UINT32_MAX);
            break;
        case SLICE:
            o->archive.slice = opt_time(&r, SLICEFILE_HOUR);
            break;
        case PARENT:
            o->parent = (int32_t)number(&r, INT32_MAX);
            break;
        }
    }
    o->quiet = r.quiet;
    o->target.command = readopt_command(&r);
    if (o->target.command != NULL)
        set_target(o, TARGET_COMMAND);
    check(o);
}

#include "cmd/perf-script/options.h"

#include <stdio.h>
#include <unistd.h>

#include "common/symbolize/showrecord.h"

enum {
    PID = 1, /* in the order of enum field, up to TIME */
    TID,
    COMM,
    CPU,
    EVENT,
    TIME,
    RANGE,
    TIMERAW,
    TIMEZEROSECS,
    PERF_MAP,
    CHECK,
    STATS,
    SOURCE_MAPS,
    TURNS,
    SYSCALLS,
    INPUT,
    FIELDS_LIST,
    AS_PERF,
    DEMANGLE,
    SHOW_LOST_EVENTS,
    SHOW_MMAP_EVENTS,
    SHOW_TASK_EVENTS,
    NO_INLINE,
    NO_DEMANGLE,
    SYMBOLS,
    DSOS,
    HEADER,
    FORCE
};

#define AT(member) OPT_AT(struct options, member)

static const struct opt table[] = {
    OPT_HEADING("What is in the recording"),
    {"check", 0, OPT_FLAG, true, CHECK, NULL,
     "write no samples: say what is in the input, and what to do about it"},
    {"stats", 0, OPT_CHOICE, true, STATS, "text|json", "as --check, in this format"},
    {"report", 0, OPT_TEXT, true, AT(report), "FILE",
     "write the samples, and to FILE what --check prints"},
    OPT_HEADING("Select samples"),
    {"pid", 0, OPT_TEXT, true, PID, "LIST", "only samples of these processes"},
    {"tid", 0, OPT_TEXT, true, TID, "LIST", "only samples of these threads"},
    {"comm", 0, OPT_TEXT, true, COMM, "LIST", "only samples of these commands"},
    {"event", 0, OPT_TEXT, true, EVENT, "LIST",
     "only samples of these events; 'syscalls:*' is a pattern"},
    {"time", 0, OPT_TEXT, true, TIME, "FROM,TO",
     "only samples of these times: seconds as printed, or 10%,20% of all"},
    {"cpu", 'C', OPT_TEXT, true, CPU, "LIST", "only samples on these CPUs"},
    {"range", 0, OPT_TEXT, true, RANGE, "FROM,TO",
     "only samples of these times, in seconds since the first sample"},
    {"timeraw", 0, OPT_FLAG, true, TIMERAW, NULL, "--range counts from zero, as printed"},
    {"timezerosecs", 0, OPT_FLAG, true, TIMEZEROSECS, NULL,
     "--range counts from the full second before the first sample"},
    {"comms", 'c', OPT_TEXT, true, COMM, "LIST", "as --comm"},
    OPT_HEADING("Names of functions"),
    {"map-dir", 0, OPT_TEXT, true, AT(map_dir), "DIR",
     "name the JIT frames of each process from DIR/perf-PID.map"},
    {"perf-map", 0, OPT_TEXT, true, PERF_MAP, "PID=FILE",
     "name the JIT frames of a process from this perf map"},
    {"symfs", 0, OPT_TEXT, true, AT(data.symbols.files.symfs), "DIR",
     "look for the recorded machine's files in DIR"},
    {"debug-dir", 0, OPT_TEXT, true, AT(data.symbols.files.debug), "DIR",
     "debug symbols are in DIR (/usr/lib/debug)"},
    {"debuginfod", 0, OPT_FLAG, true, AT(debuginfod), NULL,
     "fetch missing debug files from the servers of $DEBUGINFOD_URLS"},
    {"inline", 0, OPT_FLAG, true, AT(data.symbols.inlined), NULL,
     "print the calls that the compiler inlined, of perf.data with callchains"},
    {"no-inline", 0, OPT_FLAG, true, NO_INLINE, NULL, "do not print them, as without --inline"},
    {"demangle", 0, OPT_CHOICE, true, DEMANGLE, "none|short|full",
     "how C++ and Rust names are printed; short: without parameters"},
    {"no-demangle", 0, OPT_FLAG, true, NO_DEMANGLE, NULL, "as --demangle=none"},
    {"kallsyms", 0, OPT_TEXT, true, AT(data.symbols.kallsyms), "FILE", "the kernel's symbols"},
    {"vmlinux", 'k', OPT_TEXT, true, AT(data.symbols.vmlinux), "FILE", "the kernel's ELF file"},
    OPT_HEADING("What is printed"),
    {"fields", 'F', OPT_TEXT, true, FIELDS_LIST, "LIST",
     "print these fields: comm,tid,... or +pid,-period"},
    {"full-source-path", 0, OPT_FLAG, true, AT(data.symbols.paths), NULL,
     "with -F +srcline: print source files of perf.data with their folders"},
    {"ns", 0, OPT_FLAG, true, AT(data.nanoseconds), NULL,
     "print times of perf.data in nanoseconds"},
    {"hide-call-graph", 'G', OPT_FLAG, true, AT(data.leaf_only), NULL,
     "print the sampled address alone, not its callers"},
    {"max-stack", 0, OPT_COUNT, true, AT(max_stack), "N",
     "print the N innermost frames of each stack"},
    {"no-marks", 0, OPT_FLAG, true, AT(data.no_marks), NULL,
     "do not add the frames [cut] and [lost] to stacks that could not be unwound to their root"},
    {"as-perf", 0, OPT_FLAG, true, AS_PERF, NULL,
     "print of perf.data what perf 6.1 does, also where it is wrong"},
    {"show-lost-events", 0, OPT_FLAG, true, SHOW_LOST_EVENTS, NULL,
     "print records of lost samples"},
    {"show-mmap-events", 0, OPT_FLAG, true, SHOW_MMAP_EVENTS, NULL, "print records of memory maps"},
    {"show-task-events", 0, OPT_FLAG, true, SHOW_TASK_EVENTS, NULL,
     "print records of commands, forks and exits"},
    OPT_HEADING("Waits and system calls"),
    {"wall", 0, OPT_FLAG, true, AT(derive.wall), NULL,
     "print what runs and what waits, and how long, of what stackrecord --wall -o recorded"},
    {"off-cpu", 0, OPT_FLAG, true, AT(derive.off_cpu), NULL,
     "print how long threads did not run, and where they waited, of perf.data with switches"},
    {"turns", 0, OPT_MAYBE_NUM, true, TURNS, "[=MS]",
     "with --wall: keep turns of event loops apart that took as many milliseconds (50)"},
    {"min-block", 0, OPT_COUNT, true, AT(derive.min_block), "US",
     "with --wall and --off-cpu: leave out shorter waits (1)"},
    {"syscalls", 0, OPT_MAYBE_TEXT, true, SYSCALLS, "[=NAME,...]",
     "print the system calls of perf.data with raw_syscalls:sys_enter and sys_exit"},
    {"trace", 0, OPT_FLAG, true, AT(trace), NULL,
     "print a line for each system call, as perf trace does"},
    OPT_HEADING("Folded stacks"),
    {"folded", 0, OPT_FLAG, true, AT(folding.folded), NULL,
     "write folded stacks, as stackcollapse makes them of the text"},
    {"mark-kernel", 0, OPT_FLAG, true, AT(folding.mark_kernel), NULL,
     "with --folded: mark kernel functions with _[k], inlined calls with _[i]"},
    {"node", 0, OPT_FLAG, true, AT(folding.rules.node), NULL,
     "with --folded: filter the frames as stackfilter --node does"},
    {"v8-work", 0, OPT_CHOICE, true, AT(folding.work), "keep|summarize|detail|hide",
     "with --node: V8's own frames, as in stackfilter"},
    {"source-maps", 0, OPT_MAYBE_TEXT, true, SOURCE_MAPS, "[=DIR]",
     "with --node: name JavaScript by source maps, as stackfilter does"},
    OPT_HEADING("Other"),
    {"input", 'i', OPT_TEXT, true, INPUT, "FILE", "read this file, as an operand"},
    /* options of perf that people type from habit */
    {"force", 'f', OPT_FLAG, true, FORCE, NULL,
     "does nothing: recordings of other users are read anyway"},
    {"symbols", 'S', OPT_TEXT, true, SYMBOLS, "LIST", "is not here: see stackfilter --focus"},
    {"dsos", 0, OPT_TEXT, true, DSOS, "LIST", "is not here: see stackfilter --focus=dso:RE"},
    {"header", 0, OPT_FLAG, true, HEADER, NULL, "is not here: see --check"},
    OPT_STRICT_ROW,
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "perf-script",
    .synopsis = "[option ...] [file ...]",
    .about = "Reads perf.data or perf script text, selects samples, and writes them as perf prints "
             "them.",
    .table = table,
    .usage_status = 2,
};

/* Add the values of an option that selects samples by a field. The ids of these options have the
 * order of the fields. */
static void
add_list(struct selection *s, const struct opt_reader *r, int id)
{
    enum list_error error = selection_add(s, (enum field)(id - PID), span_cstr(r->value));
    if (error == LIST_EMPTY)
        opt_usage(&program, "option --%s: '%s' is an empty list", r->name, r->value);
    if (error == LIST_NO_NUMBER)
        opt_usage(&program, "option --%s: '%s' is not a list of numbers", r->name, r->value);
}

static void
add_window(const struct opt_reader *r, struct window *w, bool percent)
{
    struct span text = span_cstr(r->value);
    const char *problem = window_parse(text, w);
    if (problem == NULL && !percent && window_has_percent(w))
        problem = "a percent is for --time";
    if (problem != NULL)
        opt_usage(&program, "option --%s: '%s': %s", r->name, r->value, problem);
}

static void
add_operand(struct options *o, const char *name)
{
    MEM_ADD(o->operands.names, o->operands.count, o->operands_cap, (char *)name);
}

static void
set_fields(struct options *o, const struct opt_reader *r)
{
    const char *problem = fields_parse(span_cstr(r->value), &o->fields);
    if (problem == NULL)
        problem = fields_parse(span_cstr(r->value), &o->text_fields);
    o->data.trace_period = o->fields.trace_period;
    o->data.trace_ip = o->fields.trace_ip;
    if (problem != NULL)
        opt_usage(&program, "option --%s: '%s': %s", r->name, r->value, problem);
}

/* With --folded, refuse options about printed text; without it, options about folding. */
static void
finish_folding(struct options *o, bool changes_text)
{
    struct folding_options *f = &o->folding;
    if (o->stats != STATS_NONE && (f->folded || o->report != NULL))
        opt_usage(&program, "--check and --stats write no samples: --report=FILE does both");
    if (f->folded && (changes_text || o->data.nanoseconds || o->data.leaf_only))
        opt_usage(&program,
                  "--folded: folded stacks have no fields, records or times, so --fields, "
                  "--ns, --as-perf and --show-*-events do not go with it");
    if (!f->folded && (f->mark_kernel || f->rules.node))
        opt_usage(&program, "--mark-kernel and --node need --folded");
    if (!f->rules.node && (f->work >= 0 || f->source_maps))
        opt_usage(&program, "--v8-work and --source-maps need --node");
    rules_finish(&f->rules, -1, f->work);
}

void
options_read(struct options *o, int argc, char **argv)
{
    struct opt_reader r;
    bool changes_text = false;
    opt_start(&r, &program, o, argc, argv);
    *o = (struct options){.stats = STATS_NONE,
                          .folding.work = -1,
                          .fields = fields_default(),
                          .text_fields = fields_all(),
                          .data.symbols = {.demangle = DEMANGLE_SHORT,
                                           .files = {.symfs = "",
                                                     .cache = dsofile_cache_dir(),
                                                     .debug = "/usr/lib/debug",
                                                     .debuginfod = debuginfod_cache_dir()}}};
    for (int id; (id = opt_next(&r)) != OPT_DONE;) {
        changes_text |= id == FIELDS_LIST || id == AS_PERF ||
                        (id >= SHOW_LOST_EVENTS && id <= SHOW_TASK_EVENTS);
        switch (id) {
        case PID:
        case TID:
        case COMM:
        case CPU:
        case EVENT:
            add_list(&o->selection, &r, id);
            break;
        case TIME:
            add_window(&r, &o->selection.time, true);
            break;
        case RANGE:
            add_window(&r, &o->selection.range, false);
            break;
        case TIMERAW:
            o->selection.origin = ORIGIN_RAW;
            break;
        case TIMEZEROSECS:
            o->selection.origin = ORIGIN_FLOOR;
            break;
        case PERF_MAP:
            MEM_ADD(o->maps, o->nmaps, o->maps_cap, opt_map(&r));
            break;
        case CHECK:
            if (o->stats == STATS_NONE)
                o->stats = STATS_TEXT;
            break;
        case INPUT:
            add_operand(o, r.value);
            break;
        case FIELDS_LIST:
            set_fields(o, &r);
            break;
        case AS_PERF:
            o->data.symbols.as_perf = o->data.symbols.files.as_perf = true;
            break;
        case DEMANGLE:
            o->text_demangle = o->data.symbols.demangle = (enum demangle_style)r.number;
            break;
        case SHOW_LOST_EVENTS:
            o->data.show |= SHOW_LOST;
            break;
        case SHOW_MMAP_EVENTS:
            o->data.show |= SHOW_MMAP;
            break;
        case SHOW_TASK_EVENTS:
            o->data.show |= SHOW_TASK;
            break;
        case NO_INLINE:
            o->data.symbols.inlined = false;
            break;
        case NO_DEMANGLE:
            o->text_demangle = o->data.symbols.demangle = DEMANGLE_NONE;
            break;
        case SYMBOLS:
        case DSOS:
            opt_usage(&program,
                      "option --%s: functions are not selected here; the samples that have one: "
                      "perf-script ... | stackfilter --focus='%sRE'",
                      r.name, id == DSOS ? "dso:" : "");
            break;
        case HEADER:
            opt_usage(&program, "option --header: perf's header is not printed; --check says what "
                                "is in the recording");
            break;
        case STATS:
            o->stats = (enum stats)r.number;
            break;
        case TURNS:
            o->derive.turns = opt_maybe_count(&r, DERIVE_TURNS_MAX, DERIVE_TURNS);
            break;
        case SYSCALLS:
            o->derive.syscalls = true;
            o->derive.calls = r.value != NULL ? span_cstr(r.value) : SPAN("");
            break;
        case SOURCE_MAPS:
            o->folding.source_maps = true;
            o->folding.maps_folder = r.value;
            break;
        }
    }
    o->quiet = r.quiet;
    o->strict = r.strict;
    if (o->selection.origin != ORIGIN_FIRST && window_is_open(&o->selection.range))
        opt_usage(&program, "--timeraw and --timezerosecs need --range");
    if (o->derive.min_block > 0 && !o->derive.off_cpu && !o->derive.wall)
        opt_usage(&program, "--min-block goes with --wall and --off-cpu");
    if (o->derive.turns > 0 && !o->derive.wall)
        opt_usage(&program, "--turns goes with --wall");
    if (o->derive.off_cpu && o->derive.wall)
        opt_usage(&program, "--wall has the waits of --off-cpu: give one of them");
    if (o->derive.syscalls && (o->derive.off_cpu || o->derive.wall))
        opt_usage(&program, "--syscalls does not go with --wall and --off-cpu");
    if (o->trace && (o->folding.folded || o->stats != STATS_NONE || changes_text))
        opt_usage(&program, "--trace prints lines, not samples: --folded, --check, --stats, -F and "
                            "other options of the text do not go with it");
    finish_folding(o, changes_text);
    o->data.no_marks &= o->stats == STATS_NONE; /* they are what --check counts */
    o->data.symbols.inlined &= !o->data.symbols.as_perf;
    o->data.symbols.lines = (o->fields.frame & PERFWRITE_SRCLINE) != 0;
    if (o->data.symbols.paths && !o->data.symbols.lines)
        opt_usage(&program, "option --full-source-path goes with -F +srcline");
    o->data.symbols.files.info = o->data.symbols.inlined || o->data.symbols.lines;
    for (int i = 0; i < r.noperands; i++)
        add_operand(o, r.argv[i]);
    if (o->operands.count == 0 && isatty(STDIN_FILENO))
        add_operand(o, "perf.data");
}

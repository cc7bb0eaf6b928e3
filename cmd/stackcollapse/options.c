#include "cmd/stackcollapse/options.h"

#include "cmd/stackcollapse/formats.h"
#include "cmd/stackcollapse/script/scriptparts.h"

const struct opt options_table[] = {
    OPT_HEADING("Samples and threads"),
    {"event", 0, OPT_TEXT, true, OPTION_EVENT, "LIST",
     "fold samples of these events: names, patterns such as 'syscalls:*', all"},
    {"weight", 0, OPT_CHOICE, true, OPTION_WEIGHT, "samples|period",
     "what a sample counts: 1, or its period (samples; of off-cpu and a CPU profile: period)"},
    {"event-filter", 0, OPT_TEXT, false, AT(event), "EVENT",
     "fold samples of this event (the first one's)"},
    {"pid", 0, OPT_FLAG, false, AT(fold.names.pid), NULL,
     "append the process number to the command name"},
    {"tid", 0, OPT_FLAG, false, AT(fold.names.tid), NULL,
     "append the process and the thread number"},
    {"no-comm", 0, OPT_FLAG, true, AT(fold.no_comm), NULL, "leave the command name out"},
    {"comm-digits", 0, OPT_COUNT, true, AT(fold.names.comm_digits), "N",
     "in command names, replace runs of N digits or more by <N>"},
    OPT_HEADING("Functions"),
    {"kernel", 0, OPT_FLAG, false, AT(fold.names.kernel), NULL,
     "mark kernel functions with _[k], inlined calls with _[i]"},
    {"jit", 0, OPT_FLAG, false, AT(fold.names.jit), NULL, "mark JIT-compiled functions with _[j]"},
    {"all", 0, OPT_FLAG, false, OPTION_ALL, NULL, "--kernel and --jit"},
    {"inline", 0, OPT_FLAG, false, AT(inlined), NULL, "show inlined calls, from debug information"},
    {"addrs", 0, OPT_FLAG, false, AT(fold.names.addrs), NULL,
     "show the address where there is no symbol"},
    {"skip-after", 0, OPT_TEXT, true, OPTION_SKIP_AFTER, "RE",
     "drop the callers of frames that match"},
    {"tidy", 0, OPT_CHOICE, true, AT(fold.names.tidy), "perl|brackets|none",
     "how argument lists are cut from function names (brackets)"},
    {"srcline", 0, OPT_FLAG, false, AT(fold.names.srcline), NULL,
     "add the source lines of perf script -F +srcline"},
    {"context", 0, OPT_FLAG, false, AT(context), NULL, "with --inline: add source lines"},
    {"debug-dir", 0, OPT_TEXT, true, AT(debug_dir), "DIR",
     "with --inline: debug symbols are in DIR (/usr/lib/debug)"},
    {"debuginfod", 0, OPT_FLAG, true, AT(debuginfod), NULL,
     "with --inline: fetch missing debug files from the servers of $DEBUGINFOD_URLS"},
    {"shorten-pkgs", 0, OPT_FLAG, true, AT(shorten_pkgs), NULL,
     "shorten the names of Java packages to their first letters"},
    {"no-pkgs", 0, OPT_FLAG, true, AT(no_pkgs), NULL, "leave the Java packages out"},
    OPT_HEADING("Time"),
    {"latency", 0, OPT_FLAG, true, AT(latency), NULL,
     "divide what a sample counts by the number of threads that ran: what shortens the run"},
    {"slice", 0, OPT_COUNT, true, AT(fold.slice), "MS",
     "begin each stack with the time of its slice of MS milliseconds: @12.340"},
    OPT_HEADING("Input"),
    {"from", 0, OPT_CHOICE, true, OPTION_FROM, FORMAT_NAMES, "the input's format (guess)"},
    {"guess", 0, OPT_FLAG, true, AT(guess), NULL, "print each file's format, and fold nothing"},
    {"verbose", 'v', OPT_FLAG, true, AT(verbose), NULL, "print each file's format"},
    OPT_HEADING("Options for single formats"),
    {"includeoffset", 0, OPT_FLAG, true, AT(offsets), NULL,
     "dtrace, bpftrace: keep the offsets in functions, except the leaf's"},
    {"size", 0, OPT_FLAG, true, AT(size), NULL, "vtune-mc, ghcprof: count the bytes allocated"},
    {"no-modules", 0, OPT_FLAG, true, AT(no_modules), NULL,
     "sample: leave out the names of libraries"},
    {"wakers", 0, OPT_CHOICE, true, AT(wakers), "none|one|all",
     "perf-sched: add the stacks of the threads that end waits (none)"},
    OPT_HEADING("Other"),
    OPT_STRICT_ROW,
    OPT_COMMON,
};

bool
options_assign(struct options *o, struct span text)
{
    size_t equals = span_find(text, '=');
    if (equals == SPAN_NONE)
        return false;
    struct span name = span_head(text, equals);
    bool on = awk_is_true(span_from(text, equals + 1));
    if (span_eq(name, SPAN("record_tid")))
        o->fold.names.tid = on;
    else if (span_eq(name, SPAN("record_wake_stack")))
        o->wakers = on && o->wakers == WAKERS_NONE ? WAKERS_ONE : o->wakers;
    else if (span_eq(name, SPAN("recurse")))
        o->wakers = on ? WAKERS_ALL : o->wakers;
    else if (span_eq(name, SPAN("MODULES")))
        o->no_modules = !on;
    else
        return false;
    return true;
}

/* Read --event. Under the Perl script's name it abbreviates --event-filter. */
static void
read_event_list(struct opt_reader *r, struct options *o)
{
    static struct eventlist list;
    if (o->dialect != &dialect_native) {
        o->event = r->value;
        return;
    }
    if (!eventlist_add(&list, span_cstr(r->value)))
        opt_usage(r->program, "option --event: '%s' names no event", r->value);
    o->event_list = &list;
}

static void
read_options(struct opt_reader *r, struct options *o)
{
    for (int id; (id = opt_next(r)) != OPT_DONE;) {
        switch (id) {
        case OPTION_FROM:
            o->from = (size_t)r->number;
            break;
        case OPTION_ALL:
            o->fold.names.kernel = o->fold.names.jit = true;
            break;
        case OPTION_COMM:
            o->fold.no_comm = r->number == 0;
            break;
        case OPTION_CALLS: /* OPTION_TIMES is the default, and -c comes first */
            o->weight = WEIGHT_SAMPLES;
            break;
        case OPTION_EVENT:
            read_event_list(r, o);
            break;
        case OPTION_WEIGHT:
            o->weight = (enum weight)r->number;
            o->weight_given = true;
            break;
        case OPTION_SKIP_AFTER:
            opt_pattern(r, &o->fold.skip_after);
            o->fold.has_skip_after = true;
            break;
        case OPTION_ASSIGN:
            if (!options_assign(o, span_cstr(r->value)))
                opt_usage(r->program, "option -v: the script has no variable '%s'", r->value);
            break;
        }
    }
    if (o->context && !o->inlined && o->dialect == &dialect_native)
        opt_usage(r->program, "option --context needs --inline");
}

void
options_read(struct options *o, struct opt_reader *r, struct diag *diag,
             const struct opt_program *program, int argc, char **argv)
{
    o->fold.names.dialect = o->dialect->names;
    o->fold.names.tidy = o->dialect->tidy;
    o->weight = o->dialect->weight;
    diag_init(diag, program->name);
    opt_start(r, program, o, argc, argv);
    read_options(r, o);
    diag->quiet = r->quiet;
    o->strict = r->strict;
}

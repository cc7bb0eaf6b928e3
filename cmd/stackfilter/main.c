/* stackfilter: drops, keeps, renames and focuses the frames of stack samples. */
#include <errno.h>
#include <time.h>

#include "cmd/stackfilter/slicefolder.h"
#include "cmd/stackfilter/stream.h"
#include "common/base/confine.h"
#include "common/base/opt.h"

enum {
    DROP = 1,
    KEEP,
    RENAME,
    FOCUS,
    EXCLUDE,
    ROOT_AT,
    HIDE,
    ONLY,
    SOURCE_MAPS,
    LAST,
    BETWEEN,
    MERGE,
};

#define KINDS                                                                                      \
    "app|dep|core|regexp|wasm|builtin|v8|gc|compiler|cpp|native|kernel|nameless|mark|wait,..."

struct options {
    struct rules rules;
    enum input_format from;
    int names, work; /* enum v8_names, enum v8_work; -1: not given */
    bool no_comm;
    bool source_maps;
    bool no_idle_threads;
    const char *maps_folder; /* NULL: not given */
    struct archive_rules archive;
};

#define AT(member) OPT_AT(struct options, member)

static const struct opt table[] = {
    OPT_HEADING("Node.js"),
    {"node", 0, OPT_FLAG, true, AT(rules.node), NULL,
     "hide most of V8's own frames, [unknown] and __libc_start*; clean JavaScript's names; show "
     "JIT-compiled code without names as one frame"},
    {"v8-work", 0, OPT_CHOICE, true, AT(work), "keep|summarize|detail|hide",
     "V8's own frames: keep all, show its collector and compiler as one frame (with --node), show "
     "each kind of work as one, or hide all"},
    {"source-maps", 0, OPT_MAYBE_TEXT, true, SOURCE_MAPS, "[=DIR]",
     "name JavaScript as the source maps below DIR, or beside its files, do"},
    OPT_HEADING("Select samples"),
    {"focus", 0, OPT_TEXT, true, FOCUS, "RE", "drop samples without a frame that matches"},
    {"exclude", 0, OPT_TEXT, true, EXCLUDE, "RE", "drop samples with a frame that matches"},
    {"no-idle-threads", 0, OPT_FLAG, true, AT(no_idle_threads), NULL,
     "drop the waits for work of stackrecord --off-cpu and --wall"},
    OPT_HEADING("Change their frames"),
    {"drop", 0, OPT_TEXT, true, DROP, "RE", "drop the frames that match"},
    {"keep", 0, OPT_TEXT, true, KEEP, "RE", "drop all frames but those that match"},
    {"rename", 0, OPT_TEXT, true, RENAME, "s/RE/TEXT/", "replace in frames, as sed -E does"},
    {"root-at", 0, OPT_TEXT, true, ROOT_AT, "RE",
     "cut the callers of the first frame that matches"},
    {"hide", 0, OPT_TEXT, true, HIDE, KINDS, "drop frames of these kinds"},
    {"only", 0, OPT_TEXT, true, ONLY, KINDS, "drop frames of all other kinds"},
    {"max-depth", 0, OPT_COUNT, true, AT(rules.max_depth), "N",
     "keep the N frames nearest the root"},
    {"collapse-recursion", 0, OPT_FLAG, true, AT(rules.collapse_recursion), NULL,
     "merge adjacent equal frames"},
    {"v8-names", 0, OPT_CHOICE, true, AT(names), "merge|tier|raw",
     "clean JavaScript's names (merge with --node, else raw)"},
    {"merge", 0, OPT_TEXT, true, MERGE, "threads|processes|hosts|times,...",
     "cut the numbers of threads, or of processes, too, from commands; drop hosts of archives, and "
     "times"},
    OPT_HEADING("Archives, which stackrecord --archive writes"),
    {"last", 0, OPT_TEXT, true, LAST, "TIME",
     "of archives (stackrecord --archive DIR): only the last 10m, 12h, 7d"},
    {"between", 0, OPT_TEXT, true, BETWEEN, "FROM..TO",
     "of archives: only from 14:02 to 14:07, as 14:02..14:07; 2026-11-27T14:02Z.. for UTC"},
    OPT_HEADING("Other"),
    {"from", 0, OPT_CHOICE, true, AT(from), "perf|folded|guess", "the input's format (guess)"},
    {"no-comm", 0, OPT_FLAG, true, AT(no_comm), NULL,
     "folded stacks do not begin with a command name"},
    OPT_STRICT_ROW,
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "stackfilter",
    .synopsis = "[option ...] [file ...]",
    .about = "Filters the frames and samples of perf script text or folded stacks. RE is a POSIX\n"
             "extended regular expression for symbols, or with \"dso:\" before it for DSO names.",
    .table = table,
    .usage_status = 2,
};

/* End the program if the option's value is invalid. */
static void
must(const struct opt_reader *r, bool understood, const char *error)
{
    if (!understood)
        opt_usage(r->program, "option --%s: '%s': %s", r->name, r->value, error);
}

/* Return the list to which a pattern option adds. */
static enum list
list_of(int id)
{
    return id == DROP      ? LIST_DROP
           : id == KEEP    ? LIST_KEEP
           : id == FOCUS   ? LIST_FOCUS
           : id == EXCLUDE ? LIST_EXCLUDE
                           : LIST_ROOT;
}

static void
set_merge(struct options *o, const struct opt_reader *r)
{
    struct archive_rules *a = &o->archive;
    const struct {
        struct span name;
        bool *set;
    } known[] = {
        {SPAN("threads"), &a->merge_threads},
        {SPAN("processes"), &a->merge_processes},
        {SPAN("hosts"), &a->merge_hosts},
        {SPAN("times"), &a->merge_times},
    };
    struct span list = span_cstr(r->value);
    while (list.len > 0) {
        struct span what = span_take(&list, ',');
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (span_eq(what, known[i].name))
                *known[i].set = found = true;
        must(r, found, "not threads, processes, hosts, times");
    }
}

static void
set_range(struct options *o, int id, const struct opt_reader *r)
{
    const uint64_t now = (uint64_t)time(NULL);
    if (o->archive.range.to > 0)
        opt_usage(r->program, "--last and --between: give one of them, once");
    if (id == LAST) {
        uint64_t last = opt_time(r, UINT32_MAX);
        o->archive.range =
            (struct timerange){.from = now + 1 - (last < now ? last : now), .to = now + 1};
        return;
    }
    const char *problem = timerange_parse(&o->archive.range, span_cstr(r->value), now);
    must(r, problem == NULL, problem);
}

static void
read_options(struct options *o, struct opt_reader *r)
{
    enum { ALL_KINDS = (1u << KIND_COUNT) - 1 };
    struct rules *rules = &o->rules;
    unsigned only = 0;
    char error[PATTERN_ERROR];
    for (int id; (id = opt_next(r)) != OPT_DONE;) {
        switch (id) {
        case DROP:
        case KEEP:
        case FOCUS:
        case EXCLUDE:
        case ROOT_AT:
            must(r, rules_add(rules, list_of(id), r->value, error), error);
            break;
        case RENAME:
            must(r, rules_add_rename(rules, r->value, error), error);
            break;
        case HIDE:
            must(r, rules_kinds(r->value, &rules->hidden, error), error);
            break;
        case ONLY:
            must(r, rules_kinds(r->value, &only, error), error);
            break;
        case SOURCE_MAPS:
            o->source_maps = true;
            o->maps_folder = r->value;
            break;
        case LAST:
        case BETWEEN:
            set_range(o, id, r);
            break;
        case MERGE:
            set_merge(o, r);
            break;
        }
    }
    if (only != 0)
        rules->hidden |= ALL_KINDS & ~only;
    rules_finish(rules, o->names, o->work);
}

int
main(int argc, char **argv)
{
    struct stream t;
    struct idlewaits idle;
    struct sourcemaps maps;
    struct slicefolder_names names = {0};
    struct options o = {.from = INPUT_GUESS, .names = -1, .work = -1};
    struct opt_reader r;
    struct diag diag;

    opt_start(&r, &program, &o, argc, argv);
    read_options(&o, &r);
    diag_init(&diag, program.name);
    diag.quiet = r.quiet;

    confine(CONFINE_READING);
    if (o.source_maps && !sourcemaps_init(&maps, o.maps_folder, &diag)) {
        diag_error(&diag, (struct place){o.maps_folder, 0}, "%s", strerror(errno));
        return diag.status;
    }
    stream_init(&t, &o.rules, o.source_maps ? &maps : NULL, &diag);
    t.no_comm = o.no_comm;
    if (o.no_idle_threads) {
        idlewaits_init(&idle, &t.perftext.frames);
        t.perftext.source.numbers = PERF_NUMBERS;
        t.idle = &idle;
    }
    t.archive = o.archive;
    for (int i = 0; i < r.noperands; i++)
        if (o.archive.range.to > 0)
            slicefolder_add(&names, r.argv[i], &o.archive.range, &diag);
        else
            VEC_ADD(names.list, r.argv[i]);
    const bool nothing = r.noperands > 0 && names.list.n == 0; /* not even standard input */
    input_start(&t.input, &diag, names.list.at, names.list.n);
    t.input.opened = names.opened.at;
    out_stdout(&t.out);
    t.input.lines.before_read = out_before_read;
    t.input.lines.ctx = &t.out;
    while (!nothing && input_next(&t.input))
        stream_file(&t, o.from);
    out_close(&t.out);
    stream_report(&t);
    return input_status(&t.input, r.strict);
}

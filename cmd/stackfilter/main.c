/* stackfilter: drop, keep, rename and focus the frames of stack samples. */
#include <errno.h>

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
};

#define AT(member) OPT_AT(struct options, member)

static const struct opt table[] = {
    {"node", 0, OPT_FLAG, true, AT(rules.node), NULL,
     "hide most of V8's own frames, [unknown] and __libc_start*; clean JavaScript's names; show "
     "JIT-compiled code without names as one frame"},
    {"drop", 0, OPT_TEXT, true, DROP, "RE", "drop the frames that match"},
    {"keep", 0, OPT_TEXT, true, KEEP, "RE", "drop all frames but those that match"},
    {"rename", 0, OPT_TEXT, true, RENAME, "s/RE/TEXT/", "replace in frames, as sed -E does"},
    {"focus", 0, OPT_TEXT, true, FOCUS, "RE", "drop samples without a frame that matches"},
    {"exclude", 0, OPT_TEXT, true, EXCLUDE, "RE", "drop samples with a frame that matches"},
    {"root-at", 0, OPT_TEXT, true, ROOT_AT, "RE",
     "cut the callers of the first frame that matches"},
    {"collapse-recursion", 0, OPT_FLAG, true, AT(rules.collapse_recursion), NULL,
     "merge adjacent equal frames"},
    {"max-depth", 0, OPT_COUNT, true, AT(rules.max_depth), "N",
     "keep the N frames nearest the root"},
    {"hide", 0, OPT_TEXT, true, HIDE, KINDS, "drop frames of these kinds"},
    {"only", 0, OPT_TEXT, true, ONLY, KINDS, "drop frames of all other kinds"},
    {"v8-names", 0, OPT_CHOICE, true, AT(names), "merge|tier|raw",
     "clean JavaScript's names (merge with --node, else raw)"},
    {"v8-work", 0, OPT_CHOICE, true, AT(work), "keep|summarize|detail|hide",
     "V8's own frames: keep all, show its collector and compiler as one frame (with --node), show "
     "each kind of work as one, or hide all"},
    {"source-maps", 0, OPT_MAYBE_TEXT, true, SOURCE_MAPS, "[=DIR]",
     "name JavaScript as the source maps below DIR, or beside its files, do"},
    {"no-idle-threads", 0, OPT_FLAG, true, AT(no_idle_threads), NULL,
     "drop the waits for work of stackrecord --off-cpu and --wall"},
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

/* End the program if the option's value was not understood. */
static void
must(const struct opt_reader *r, bool understood, const char *error)
{
    if (!understood)
        opt_usage(r->program, "option --%s: '%s': %s", r->name, r->value, error);
}

/* Return the list that a pattern option adds to. */
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
    input_start(&t.input, &diag, r.argv, (size_t)r.noperands);
    out_stdout(&t.out);
    t.input.lines.before_read = out_before_read;
    t.input.lines.ctx = &t.out;
    while (input_next(&t.input))
        stream_file(&t, o.from);
    out_close(&t.out);
    stream_report(&t);
    return input_status(&t.input, r.strict);
}

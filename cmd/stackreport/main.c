/* stackreport: prints a profile as a table, with self and total of each function, or as a flame
 * graph of text. */
#include <stdlib.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "cmd/stackreport/callfiles.h"
#include "cmd/stackreport/countfiles.h"
#include "cmd/stackreport/digest.h"
#include "cmd/stackreport/flame.h"
#include "cmd/stackreport/instrlist.h"
#include "cmd/stackreport/linefiles.h"
#include "cmd/stackreport/linelist.h"
#include "cmd/stackreport/live.h"
#include "cmd/stackreport/stallfiles.h"
#include "cmd/stackreport/stalltable.h"
#include "cmd/stackreport/write.h"
#include "common/base/columns.h"
#include "common/base/confine.h"
#include "common/base/opt.h"

enum { LIVE_SECONDS = 2, LIVE_SECONDS_FLAME = 1, LIVE_SECONDS_MAX = 86400 };
enum { STALL_MS = 50, STALL_MS_MAX = 86400000, STALLS_LISTED = 50 };
enum { FUNCTIONS_LISTED = 10 }; /* by --lines, unless it has an expression */
enum {
    CALLERS = 1,
    CALLEES,
    ROOT,
    MIN,
    SORT,
    WIDTH,
    EVENT,
    LIVE,
    STALLS,
    LINES,
    INSTRUCTIONS,
    PREFIX_MAP
};
enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct options {
    struct countfiles_options read;
    enum by by;
    enum shape shape;
    struct pattern function; /* functions whose trees are wanted */
    const char *expression;  /* text of `function` */
    enum row_order sort;
    enum report_format format;
    size_t top, width, height;
    double live; /* seconds; 0: no --live */
    bool sort_given, width_given, live_given;
    bool flame, root_given;
    struct flame_look look; /* of the flame graph */
    enum colour colour;
    bool digest;
    bool syscalls;
    double stalls; /* milliseconds; 0: no --stalls */
    bool lines, instructions;
    struct sourcefiles sources; /* of --lines */
};

#define AT(member) OPT_AT(struct options, member)

static const struct opt table[] = {
    OPT_HEADING("Rows"),
    {"by", 0, OPT_CHOICE, true, AT(by), "function|dso|kind|package|comm|thread",
     "what a row is (function)"},
    {"top", 0, OPT_COUNT, true, AT(top), "N", "show the first N rows; in a tree, N below each row"},
    {"sort", 0, OPT_CHOICE, true, SORT, "self|total|name",
     "the order of rows (self; in a tree: total; of the flame graph: name)"},
    {"callers", 0, OPT_TEXT, true, CALLERS, "RE", "show who called the functions that match"},
    {"callees", 0, OPT_TEXT, true, CALLEES, "RE", "show what the functions that match called"},
    OPT_HEADING("Flame graph"),
    {"flame", 0, OPT_FLAG, true, AT(flame), NULL, "print a flame graph, as text"},
    {"root", 0, OPT_TEXT, true, ROOT, "RE",
     "of the flame graph, the functions that match and what they called"},
    {"depth", 0, OPT_COUNT, true, AT(look.depth), "N",
     "of the flame graph, the N frames next to the root"},
    {"min", 0, OPT_NUM, true, MIN, "PERCENT",
     "of the flame graph, frames of PERCENT of all and more (0)"},
    {"color", 0, OPT_CHOICE, true, AT(colour), "auto|always|never",
     "colour the flame graph (auto: if the terminal has colours)"},
    OPT_HEADING("Other reports"),
    {"live", 0, OPT_MAYBE_NUM, true, LIVE, "[=SECONDS]",
     "print the table of the last seconds (2) and of all, or the flame graph, again and again"},
    {"stalls", 0, OPT_MAYBE_NUM, true, STALLS, "[=MS]",
     "list the turns of event loops that took MS milliseconds (50) and longer, and why"},
    {"syscalls", 0, OPT_FLAG, true, AT(syscalls), NULL,
     "list the system calls of each thread: how many, how many failed, and how long they took"},
    {"lines", 0, OPT_MAYBE_TEXT, true, LINES, "[=RE]",
     "list the source lines of the functions that match, or of the hottest, with their shares"},
    {"source-dir", 0, OPT_TEXT, true, AT(sources.folder), "DIR",
     "with --lines: look for source files in DIR first"},
    {"prefix-map", 0, OPT_TEXT, true, PREFIX_MAP, "OLD=NEW",
     "with --lines: in paths of source files that begin with OLD, NEW replaces it"},
    {"instructions", 0, OPT_TEXT, true, INSTRUCTIONS, "RE",
     "list the instructions of the functions that match, with their shares"},
    {"digest", 0, OPT_FLAG, true, AT(digest), NULL,
     "print a page of Markdown, 4 KB at most: what was recorded, and where the time went"},
    OPT_HEADING("Output"),
    {"format", 0, OPT_CHOICE, true, AT(format), "table|tsv|json", "the output's format (table)"},
    {"width", 0, OPT_INT, true, WIDTH, "N",
     "cut names so that lines have N columns (the terminal's; 0: do not cut); of the flame graph: "
     "its width"},
    OPT_HEADING("Input"),
    {"event", 0, OPT_TEXT, true, EVENT, "LIST",
     "count samples of these events: names, patterns such as 'syscalls:*', all"},
    {"weight", 0, OPT_CHOICE, true, AT(read.weight), "samples|period",
     "what a sample counts: 1, or its period (samples; of off-cpu: period)"},
    {"latency", 0, OPT_FLAG, true, AT(read.latency), NULL,
     "divide what a sample counts by the number of threads that ran: what shortens the run"},
    {"from", 0, OPT_CHOICE, true, AT(read.from), "perf|folded|guess", "the input's format (guess)"},
    {"no-comm", 0, OPT_FLAG, true, AT(read.no_comm), NULL,
     "folded stacks do not begin with a command name"},
    OPT_HEADING("Other"),
    OPT_STRICT_ROW,
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "stackreport",
    .synopsis = "[option ...] [file ...]",
    .about = "Prints perf script text or folded stacks as a table: how much of the profile was in\n"
             "each function itself, and how much with what it called. With --flame: as a flame\n"
             "graph. RE is a POSIX extended regular expression.",
    .table = table,
    .usage_status = 2,
};

static void
set_tree(struct options *o, const struct opt_reader *r, enum shape shape)
{
    if (r->value[0] == '\0') /* it would match every function */
        opt_usage(r->program, "option --%s needs a regular expression", r->name);
    if (o->shape != SHAPE_TABLE)
        opt_usage(r->program, "option --%s: only one of --callers, --callees and --root, and once",
                  r->name);
    opt_pattern(r, &o->function);
    o->expression = r->value;
    o->shape = shape;
}

/* Set --lines or --instructions. An expression selects functions. */
static void
set_places(struct options *o, const struct opt_reader *r, bool instructions)
{
    if (o->lines || o->instructions)
        opt_usage(r->program, "option --%s: only one of --lines and --instructions, and once",
                  r->name);
    if (r->value != NULL && r->value[0] == '\0')
        opt_usage(r->program, "option --%s needs a regular expression", r->name);
    if (r->value != NULL)
        opt_pattern(r, &o->function);
    o->expression = r->value;
    o->instructions = instructions;
    o->lines = !instructions;
}

static void
add_prefix(struct options *o, const struct opt_reader *r)
{
    struct span to = span_cstr(r->value), from = span_take(&to, '=');
    if (from.len == 0 || !span_has(span_cstr(r->value), '='))
        opt_usage(r->program, "option --prefix-map: '%s' is not OLD=NEW", r->value);
    VEC_ADD(o->sources.prefixes, (struct source_prefix){from, to});
}

static void
read_options(struct options *o, struct opt_reader *r, struct eventlist *events)
{
    for (int id; (id = opt_next(r)) != OPT_DONE;) {
        switch (id) {
        case CALLERS:
            set_tree(o, r, SHAPE_CALLERS);
            break;
        case CALLEES:
            set_tree(o, r, SHAPE_CALLEES);
            break;
        case ROOT:
            set_tree(o, r, SHAPE_CALLEES);
            o->root_given = true;
            break;
        case MIN:
            o->look.least = r->real;
            if (!(r->real >= 0 && r->real <= 100))
                opt_usage(r->program, "option --min: '%s' is not between 0 and 100 percent",
                          r->value);
            break;
        case SORT:
            o->sort = (enum row_order)r->number;
            o->sort_given = true;
            break;
        case WIDTH:
            o->width = opt_at_least(r, 0);
            o->width_given = true;
            break;
        case LIVE:
            o->live = r->value != NULL ? r->real : LIVE_SECONDS;
            o->live_given = r->value != NULL;
            if (o->live < 0.1 || o->live > LIVE_SECONDS_MAX)
                opt_usage(r->program, "option --live: '%s' is not between 0.1 and %d seconds",
                          r->value, LIVE_SECONDS_MAX);
            break;
        case STALLS:
            o->stalls = r->value != NULL ? r->real : STALL_MS;
            if (!(o->stalls >= 0.001 && o->stalls <= STALL_MS_MAX))
                opt_usage(r->program,
                          "option --stalls: '%s' is not between 0.001 and %d milliseconds",
                          r->value, STALL_MS_MAX);
            break;
        case LINES:
            set_places(o, r, false);
            break;
        case INSTRUCTIONS:
            set_places(o, r, true);
            break;
        case PREFIX_MAP:
            add_prefix(o, r);
            break;
        case EVENT:
            if (!eventlist_add(events, span_cstr(r->value)))
                opt_usage(r->program, "option --event: '%s' names no event", r->value);
            o->read.events = events;
            break;
        }
    }
}

/* Return true if the locale's characters are UTF-8, according to the variables that setlocale(3)
 * reads. */
static bool
is_utf8_locale(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]), *dot;
        if (value == NULL || value[0] == '\0')
            continue;
        dot = strchr(value, '.');
        return dot != NULL && (strncasecmp(dot + 1, "utf-8", strlen("utf-8")) == 0 ||
                               strncasecmp(dot + 1, "utf8", strlen("utf8")) == 0);
    }
    return false;
}

/* Return true if standard output is a terminal with colours, and the user wants them: see
 * no-color.org. */
static bool
has_colours(void)
{
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && (no == NULL || no[0] == '\0') && term != NULL &&
           term[0] != '\0' && strcmp(term, "dumb") != 0;
}

/* Refuse options that are only for the flame graph, or only for tables. */
static void
check_flame(const struct options *o)
{
    if (!o->flame &&
        (o->root_given || o->look.depth > 0 || o->look.least > 0 || o->colour != COLOUR_AUTO))
        opt_usage(&program, "options --root, --depth, --min and --color need --flame");
    if (!o->flame)
        return;
    if (o->shape != SHAPE_TABLE && !o->root_given)
        opt_usage(&program, "option --flame: with --root instead of --callers and --callees");
    if (o->by != BY_FUNCTION || o->format != FORMAT_TABLE || o->top > 0)
        opt_usage(&program, "option --flame: not with --by, --format and --top");
    if (o->width_given && (o->width < FLAME_NARROWEST || o->width > FLAME_WIDEST))
        opt_usage(&program, "option --width: with --flame from %d to %d", FLAME_NARROWEST,
                  FLAME_WIDEST);
}

/* Return true if an option is given that is neither for the list of stalls nor for that of system
 * calls. */
static bool
has_other_options(const struct options *o)
{
    const struct countfiles_options *r = &o->read;
    return o->flame || o->shape != SHAPE_TABLE || o->by != BY_FUNCTION || o->sort_given ||
           o->format != FORMAT_TABLE || r->events != NULL || r->weight != WEIGHT_BY_EVENT ||
           r->latency || r->no_comm;
}

/* Refuse options that are not for the list of system calls. */
static void
check_syscalls(const struct options *o)
{
    if (o->syscalls && (has_other_options(o) || o->digest || o->stalls > 0 || o->live > 0 ||
                        o->width_given || o->read.from != INPUT_GUESS))
        opt_usage(&program, "option --syscalls: only with --top, --strict and --quiet");
}

/* Refuse options that are not for the lists of lines and of instructions. */
static void
check_places(const struct options *o)
{
    if (!o->lines && (o->sources.folder != NULL || o->sources.prefixes.n > 0))
        opt_usage(&program, "options --source-dir and --prefix-map go with --lines");
    if (!o->lines && !o->instructions)
        return;
    if (o->flame || o->root_given || o->shape != SHAPE_TABLE || o->by != BY_FUNCTION ||
        o->sort_given || o->digest || o->syscalls || o->stalls > 0 || o->live > 0 ||
        o->read.latency || o->read.no_comm)
        opt_usage(&program, "options --lines and --instructions: only with --format, --top, "
                            "--width, --source-dir, --prefix-map, --event, --weight, --from, "
                            "--strict and --quiet");
    if (o->format == FORMAT_JSON || (o->instructions && o->format != FORMAT_TABLE))
        opt_usage(&program, "option --format: source lines are a table or tsv, instructions a "
                            "table");
    if (o->read.from == INPUT_FOLDED)
        opt_usage(&program, "options --lines and --instructions: folded stacks have no lines");
}

/* Refuse options that are not for the list of stalls. */
static void
check_stalls(const struct options *o)
{
    const struct countfiles_options *r = &o->read;
    if (o->stalls == 0 || o->digest)
        return;
    if (has_other_options(o))
        opt_usage(&program,
                  "option --stalls: only with --top, --width, --live, --from, --strict and "
                  "--quiet");
    if (o->live_given)
        opt_usage(&program, "option --live: with --stalls it takes no value");
    if (r->from == INPUT_FOLDED)
        opt_usage(&program, "option --stalls: folded stacks do not say when a turn ended");
}

/* Refuse options that are not for the digest. */
static void
check_digest(const struct options *o)
{
    if (o->digest && (o->flame || o->shape != SHAPE_TABLE || o->by != BY_FUNCTION ||
                      o->sort_given || o->format != FORMAT_TABLE || o->top > 0 || o->width_given ||
                      o->live > 0 || o->read.latency))
        opt_usage(&program, "option --digest: only with --stalls, --event, --weight, --from, "
                            "--no-comm, --strict and --quiet");
}

/* Set the defaults of the flame graph's look. */
static void
complete_flame(struct options *o)
{
    enum { COLUMNS = 80 }; /* if there is no terminal, or if its size is not known */
    size_t width = o->width > 0 ? o->width : COLUMNS;
    o->shape = SHAPE_CALLEES;
    o->read.comm = true;
    if (!o->sort_given)
        o->sort = SORT_NAME;
    if (o->live > 0 && !o->live_given)
        o->live = LIVE_SECONDS_FLAME;
    o->look.width = width < FLAME_NARROWEST ? FLAME_NARROWEST
                    : width > FLAME_WIDEST  ? FLAME_WIDEST
                                            : width;
    o->look.sort = o->sort;
    o->look.utf8 = is_utf8_locale();
    o->look.colour = o->colour == COLOUR_ALWAYS || (o->colour == COLOUR_AUTO && has_colours());
}

/* Refuse options that contradict each other, and set defaults. */
static void
complete_options(struct options *o)
{
    size_t columns;
    check_places(o);
    check_digest(o);
    check_syscalls(o);
    check_stalls(o);
    check_flame(o);
    if (o->shape != SHAPE_TABLE && o->by != BY_FUNCTION)
        opt_usage(&program,
                  "options --callers and --callees show functions: not with another --by");
    if (o->read.no_comm && (o->by == BY_COMM || o->by == BY_THREAD))
        opt_usage(&program, "option --by: with --no-comm there are no command names");
    if (o->live > 0 && !o->flame && (o->shape != SHAPE_TABLE || o->format != FORMAT_TABLE))
        opt_usage(&program, "option --live prints tables: no trees, and no other format");
    if (o->live > 0 && o->read.latency)
        opt_usage(&program, "options --live and --latency: what ran is known only at the end");
    if (columns_terminal(&columns, &o->height) && !o->width_given)
        o->width = columns;
    if (o->flame)
        complete_flame(o);
    else if (!o->sort_given)
        o->sort = o->shape == SHAPE_TABLE ? SORT_SELF : SORT_TOTAL;
}

static void
write_report(const struct options *o, struct counter *c)
{
    struct rows rows;
    struct out out;
    intern_forget(&c->groups.keys); /* the rows need memory, too */
    counter_sum(c);
    out_stdout(&out);
    if (o->flame) {
        flame_write(&out, c, &o->look);
        out_close(&out);
        return;
    }
    rows_start(&rows, c, o->sort, o->top);
    if (o->format == FORMAT_TABLE)
        write_table(&out, &rows, o->width);
    else
        (o->format == FORMAT_TSV ? write_tsv : write_json)(&out, &rows);
    out_close(&out);
}

static void
write_digest(struct digest *d)
{
    struct out out;
    out_stdout(&out);
    digest_write(d, &out);
    out_close(&out);
    digest_free(d);
}

/* Do the same with --live. The last drawing is that of the end. */
static void
read_live(const struct options *o, struct countfiles *r, struct live *live)
{
    *live = (struct live){
        .seconds = o->live,
        .sort = o->sort,
        .top = o->top,
        .width = o->width,
        .height = o->height,
        .flame = o->flame ? &o->look : NULL,
        .all = r->counter,
    };
    live_start(live);
    if (!o->flame) {
        r->others = &live->recent;
        r->nothers = 1;
    }
    r->input.lines.before_read = live_wait;
    r->input.lines.ctx = live;
    while (input_next(&r->input))
        countfiles_read(r);
    live_draw(live);
    live_free(live);
}

/* Return the minimum duration of a stall in microseconds. */
static uint64_t
stall_least(const struct options *o, int default_ms)
{
    return (uint64_t)(1000 * (o->stalls > 0 ? o->stalls : default_ms) + 0.5);
}

/* List the stalls in the files. Return the exit status. */
static int
report_stalls(const struct options *o, const struct opt_reader *r, struct diag *diag)
{
    static struct stallfiles reader;
    struct stalls_options wanted = {
        .least = stall_least(o, 0),
        .top = o->top > 0 ? o->top : STALLS_LISTED,
        .each = o->live > 0 ? stalltable_say : NULL,
    };
    struct out out;
    stallfiles_init(&reader, &wanted, o->read.from, diag);
    input_start(&reader.input, diag, r->argv, (size_t)r->noperands);
    while (input_next(&reader.input))
        stallfiles_read(&reader);
    stalls_finish(&reader.stalls);
    stallfiles_report(&reader);
    int status = input_status(&reader.input, r->strict);
    if (diag->status == 0) {
        out_stdout(&out);
        stalltable_write(&out, &reader.stalls, o->width, is_utf8_locale());
        out_close(&out);
    }
    input_free(&reader.input);
    stallfiles_free(&reader);
    return status;
}

/* List the source lines or the instructions of functions. Return the exit status. */
static int
report_places(struct options *o, const struct opt_reader *r, struct diag *diag)
{
    static struct linefiles reader;
    struct linelist list = {.count = &reader.count,
                            .sources = &o->sources,
                            .top = o->top,
                            .width = o->width,
                            .tsv = o->format == FORMAT_TSV};
    struct out out;
    linefiles_init(&reader, o->read.weight, o->read.events, diag);
    reader.from = o->read.from;
    reader.count.instructions = o->instructions;
    reader.count.wanted = o->expression != NULL ? &o->function : NULL;
    if (o->top == 0 && o->expression == NULL && !list.tsv)
        list.top = FUNCTIONS_LISTED;
    input_start(&reader.input, diag, r->argv, (size_t)r->noperands);
    while (input_next(&reader.input))
        linefiles_read(&reader);
    linefiles_report(&reader);
    if (reader.count.placed && o->expression != NULL && !linecount_has_wanted(&reader.count))
        diag_note(diag, "no function matches --%s='%s'%s", o->lines ? "lines" : "instructions",
                  o->expression,
                  o->instructions ? ": where it was inlined, its instructions are those of the "
                                    "function around it"
                                  : "");
    int status = input_status(&reader.input, r->strict);
    if (reader.count.placed) {
        out_stdout(&out);
        if (o->instructions)
            instrlist_write(&reader.count, o->top, &out);
        else
            linelist_write(&list, &out);
        out_close(&out);
    }
    input_free(&reader.input);
    linefiles_free(&reader);
    sourcefiles_free(&o->sources);
    return status;
}

/* List the system calls in the files. Return the exit status. */
static int
report_syscalls(const struct options *o, const struct opt_reader *r, struct diag *diag)
{
    static struct callfiles reader;
    struct out out;
    callfiles_init(&reader, diag);
    input_start(&reader.input, diag, r->argv, (size_t)r->noperands);
    while (input_next(&reader.input))
        callfiles_read(&reader);
    callfiles_report(&reader);
    int status = input_status(&reader.input, r->strict);
    if (diag->status == 0) {
        out_stdout(&out);
        calls_write(&reader.calls, &out, o->top);
        out_close(&out);
    }
    input_free(&reader.input);
    callfiles_free(&reader);
    return status;
}

int
main(int argc, char **argv)
{
    struct options o = {.read = {.from = INPUT_GUESS, .weight = WEIGHT_BY_EVENT}};
    static struct countfiles reader;
    struct eventlist events = {0};
    static struct digest digest;
    struct opt_reader r;
    struct live live;
    struct diag diag;

    opt_start(&r, &program, &o, argc, argv);
    read_options(&o, &r, &events);
    complete_options(&o);
    diag_init(&diag, program.name);
    diag.quiet = r.quiet;
    tzset(); /* read the file of the time zone now */
    confine(CONFINE_READING);
    if (o.lines || o.instructions)
        return report_places(&o, &r, &diag);
    if (o.syscalls)
        return report_syscalls(&o, &r, &diag);
    if (o.stalls > 0 && !o.digest)
        return report_stalls(&o, &r, &diag);

    struct counter counter = {.shape = o.shape, .groups = {.by = o.by}};
    if (o.expression != NULL)
        counter.function = &o.function;
    o.read.live = o.live > 0;
    countfiles_init(&reader, &o.read, &diag, &counter);
    if (o.digest)
        digest_start(&digest, &reader, stall_least(&o, STALL_MS));
    input_start(&reader.input, &diag, r.argv, (size_t)r.noperands);
    if (o.live > 0) {
        read_live(&o, &reader, &live);
    } else {
        bool any = false; /* at least one file could be opened */
        for (; input_next(&reader.input); any = true)
            countfiles_read(&reader);
        if (any && o.digest)
            write_digest(&digest);
        else if (any)
            write_report(&o, &counter);
    }
    if (o.expression != NULL && counter.nnodes == 0 && !decimal_is_zero(counter.all))
        diag_note(&diag, "no function matches --%s='%s'%s",
                  o.flame                    ? "root"
                  : o.shape == SHAPE_CALLERS ? "callers"
                                             : "callees",
                  o.expression,
                  reader.commands.matches ? ", but the first frame of stacks does, which is taken "
                                            "for a command: if it is a function, give --no-comm"
                                          : "");
    countfiles_report(&reader);
    int status = input_status(&reader.input, r.strict);
    input_free(&reader.input);
    return status;
}

/* stackreport: a profile as a table: self and total of each function. */
#include "cmd/stackreport/countfiles.h"
#include "cmd/stackreport/live.h"
#include "cmd/stackreport/write.h"
#include "common/base/columns.h"
#include "common/base/confine.h"
#include "common/base/opt.h"

enum { LIVE_SECONDS = 2, LIVE_SECONDS_MOST = 86400 };
enum { CALLERS = 1, CALLEES, SORT, WIDTH, EVENT, LIVE };

struct options {
    struct countfiles_options read;
    enum by by;
    enum shape shape;
    struct pattern function; /* whose trees are wanted */
    const char *expression;  /* its text */
    enum row_order sort;
    enum report_format format;
    size_t top, width, height;
    double live; /* seconds; 0: no such option */
    bool sort_given, width_given;
};

#define AT(member) OPT_AT(struct options, member)

static const struct opt table[] = {
    {"by", 0, OPT_CHOICE, true, AT(by), "function|dso|kind|package|comm|thread",
     "what a row is (function)"},
    {"callers", 0, OPT_TEXT, true, CALLERS, "RE", "show who called the functions that match"},
    {"callees", 0, OPT_TEXT, true, CALLEES, "RE", "show what the functions that match called"},
    {"top", 0, OPT_COUNT, true, AT(top), "N", "show the first N rows; in a tree, N below each row"},
    {"sort", 0, OPT_CHOICE, true, SORT, "self|total|name",
     "the order of rows (self; in a tree: total)"},
    {"format", 0, OPT_CHOICE, true, AT(format), "table|tsv|json", "the output's format (table)"},
    {"width", 0, OPT_INT, true, WIDTH, "N",
     "cut names so that lines have N columns (the terminal's; 0: do not cut)"},
    {"live", 0, OPT_MAYBE_NUM, true, LIVE, "[=SECONDS]",
     "print the table of the last seconds (2) and of all, again and again"},
    {"event", 0, OPT_TEXT, true, EVENT, "LIST",
     "count samples of these events: names, patterns such as 'syscalls:*', all"},
    {"weight", 0, OPT_CHOICE, true, AT(read.weight), "samples|period",
     "what a sample counts: 1, or its period (samples; of off-cpu: period)"},
    {"latency", 0, OPT_FLAG, true, AT(read.latency), NULL,
     "divide what a sample counts by the number of threads that ran: what shortens the run"},
    {"from", 0, OPT_CHOICE, true, AT(read.from), "perf|folded|guess", "the input's format (guess)"},
    {"no-comm", 0, OPT_FLAG, true, AT(read.no_comm), NULL,
     "folded stacks do not begin with a command name"},
    OPT_STRICT_ROW,
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "stackreport",
    .synopsis = "[option ...] [file ...]",
    .about = "Prints perf script text or folded stacks as a table: how much of the profile was in\n"
             "each function itself, and how much with what it called. RE is a POSIX extended\n"
             "regular expression.",
    .table = table,
    .usage_status = 2,
};

static void
set_tree(struct options *o, const struct opt_reader *r, enum shape shape)
{
    if (r->value[0] == '\0') /* it would match every function */
        opt_usage(r->program, "option --%s needs a regular expression", r->name);
    if (o->shape != SHAPE_TABLE)
        opt_usage(r->program, "option --%s: only one of --callers and --callees, and once",
                  r->name);
    opt_pattern(r, &o->function);
    o->expression = r->value;
    o->shape = shape;
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
            if (o->live < 0.1 || o->live > LIVE_SECONDS_MOST)
                opt_usage(r->program, "option --live: '%s' is not between 0.1 and %d seconds",
                          r->value, LIVE_SECONDS_MOST);
            break;
        case EVENT:
            if (!eventlist_add(events, span_cstr(r->value)))
                opt_usage(r->program, "option --event: '%s' names no event", r->value);
            o->read.events = events;
            break;
        }
    }
}

/* Refuse options that contradict each other, and fill in what was not given. */
static void
complete_options(struct options *o)
{
    size_t columns;
    if (o->shape != SHAPE_TABLE && o->by != BY_FUNCTION)
        opt_usage(&program,
                  "options --callers and --callees show functions: not with another --by");
    if (o->read.no_comm && (o->by == BY_COMM || o->by == BY_THREAD))
        opt_usage(&program, "option --by: with --no-comm there are no command names");
    if (o->live > 0 && (o->shape != SHAPE_TABLE || o->format != FORMAT_TABLE))
        opt_usage(&program, "option --live prints tables: no trees, and no other format");
    if (o->live > 0 && o->read.latency)
        opt_usage(&program, "options --live and --latency: what ran is known only at the end");
    if (!o->sort_given)
        o->sort = o->shape == SHAPE_TABLE ? SORT_SELF : SORT_TOTAL;
    if (columns_terminal(&columns, &o->height) && !o->width_given)
        o->width = columns;
}

static void
write_report(const struct options *o, struct counter *c)
{
    struct rows rows;
    struct out out;
    intern_forget(&c->groups.keys); /* the rows take memory, too */
    rows_start(&rows, c, o->sort, o->top);
    out_stdout(&out);
    if (o->format == FORMAT_TABLE)
        write_table(&out, &rows, o->width);
    else
        (o->format == FORMAT_TSV ? write_tsv : write_json)(&out, &rows);
    out_close(&out);
}

/* The same with --live: the last tables are those of the end. */
static void
read_live(const struct options *o, struct countfiles *r, struct live *live)
{
    *live = (struct live){
        .seconds = o->live,
        .sort = o->sort,
        .top = o->top,
        .width = o->width,
        .height = o->height,
        .all = r->counter,
    };
    live_start(live);
    r->recent = &live->recent;
    r->input.lines.before_read = live_wait;
    r->input.lines.ctx = live;
    while (input_next(&r->input))
        countfiles_read(r);
    live_draw(live);
    live_free(live);
}

int
main(int argc, char **argv)
{
    struct options o = {.read = {.from = INPUT_GUESS, .weight = WEIGHT_BY_EVENT}};
    static struct countfiles reader;
    struct eventlist events = {0};
    struct opt_reader r;
    struct live live;
    struct diag diag;

    opt_start(&r, &program, &o, argc, argv);
    read_options(&o, &r, &events);
    complete_options(&o);
    diag_init(&diag, program.name);
    diag.quiet = r.quiet;
    confine(CONFINE_READING);

    struct counter counter = {.shape = o.shape, .groups = {.by = o.by}};
    if (o.shape != SHAPE_TABLE)
        counter.function = &o.function;
    countfiles_init(&reader, &o.read, &diag, &counter);
    input_start(&reader.input, &diag, r.argv, (size_t)r.noperands);
    if (o.live > 0) {
        read_live(&o, &reader, &live);
    } else {
        bool any = false; /* some file could be opened */
        for (; input_next(&reader.input); any = true)
            countfiles_read(&reader);
        if (any)
            write_report(&o, &counter);
    }
    if (o.shape != SHAPE_TABLE && counter.nnodes == 0 && !decimal_is_zero(counter.all))
        diag_note(&diag, "no function matches --%s='%s'%s",
                  o.shape == SHAPE_CALLERS ? "callers" : "callees", o.expression,
                  reader.commands.matches ? ", but the first frame of stacks does, which is taken "
                                            "for a command: if it is a function, give --no-comm"
                                          : "");
    countfiles_report(&reader);
    int status = input_status(&reader.input, r.strict);
    input_free(&reader.input);
    return status;
}

/* stackexport: converts profiles to the formats of other viewers. */
#include <stdlib.h>
#include <unistd.h>

#include "cmd/stackexport/formats.h"
#include "cmd/stackexport/read.h"
#include "common/base/confine.h"
#include "common/base/opt.h"

enum { TO = 1, EVENT };

struct options {
    struct read_options read;
    const struct format *format; /* NULL: not given */
};

#define AT(member) OPT_AT(struct options, member)

static const struct opt table[] = {
    OPT_HEADING("Output"),
    {"to", 0, OPT_CHOICE, true, TO, &FORMAT_NAMES[1], "the output's format"},
    {"unit", 0, OPT_CHOICE, true, AT(read.unit), "samples|ns|us|ms|s|bytes",
     "what folded stacks count (samples)"},
    {"host", 0, OPT_TEXT, true, AT(read.host), "NAME", "the machine's name (what the input says)"},
    OPT_HEADING("Input"),
    {"event", 0, OPT_TEXT, true, EVENT, "LIST",
     "export samples of these events: names, patterns such as 'syscalls:*', all"},
    {"weight", 0, OPT_CHOICE, true, AT(read.weight), "samples|period",
     "what a sample counts: 1, or its period (samples; of off-cpu: period)"},
    {"from", 0, OPT_CHOICE, true, AT(read.from), "perf|folded|guess", "the input's format (guess)"},
    {"no-comm", 0, OPT_FLAG, true, AT(read.no_comm), NULL,
     "folded stacks do not begin with a command name"},
    OPT_HEADING("Other"),
    OPT_STRICT_ROW,
    OPT_COMMON,
};

static const struct opt_program program = {
    .name = "stackexport",
    .synopsis = "--to=FORMAT [option ...] [file ...]",
    .about = "Writes perf script text or folded stacks in the format of another profile viewer,\n"
             "or as a table for a data base.",
    .table = table,
    .usage_status = 2,
};

static void
read_options(struct options *o, struct opt_reader *r, struct eventlist *events)
{
    static const struct format *const formats[] = {FORMATS(FORMAT_POINTER)};
    for (int id; (id = opt_next(r)) != OPT_DONE;) {
        if (id == TO)
            o->format = formats[r->number];
        if (id == EVENT && !eventlist_add(events, span_cstr(r->value)))
            opt_usage(r->program, "option --event: '%s' names no event", r->value);
        if (id == EVENT)
            o->read.events = events;
    }
    if (o->format == NULL)
        opt_usage(r->program, "option --to says the output's format: --to=%s", &FORMAT_NAMES[1]);
    else if (o->format->is_binary && isatty(STDOUT_FILENO))
        opt_usage(r->program, "the output is binary, not for a terminal: write it to a file");
}

/* Read all files. Return false if none could be opened. */
static bool
read_files(struct reader *reader)
{
    bool any = false;
    for (; input_next(&reader->input); any = true)
        reader_read(reader);
    return any;
}

int
main(int argc, char **argv)
{
    struct options o = {.read = {.from = INPUT_GUESS, .weight = WEIGHT_BY_EVENT}};
    static struct reader reader;
    struct eventlist events = {0};
    struct opt_reader r;
    struct diag diag;
    struct out out;

    opt_start(&r, &program, &o, argc, argv);
    read_options(&o, &r, &events);
    diag_init(&diag, program.name);
    diag.quiet = r.quiet;
    confine(CONFINE_READING);

    struct export export = {.format = o.format, .out = &out, .diag = &diag};
    export.state = mem_alloc(o.format->state_size);
    memset(export.state, 0, o.format->state_size);
    reader_init(&reader, &o.read, &export);
    input_start(&reader.input, &diag, r.argv, (size_t)r.noperands);
    out_stdout(&out);
    if (o.format->begin != NULL)
        o.format->begin(&export);
    if (read_files(&reader))
        o.format->end(&export);
    out_close(&out);
    reader_report(&reader);
    int status = input_status(&reader.input, r.strict);
    input_free(&reader.input);
    return status;
}

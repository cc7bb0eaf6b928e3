/* stackcollapse: fold samples into one line a stack. */
#include "common/base/num.h"
#include "cmd/stackcollapse/formats.h"
#include "cmd/stackcollapse/options.h"
#include "common/stack/lookslike.h"

/* Reports what of the input is not in the output. */
static void
report(const struct collapse *c)
{
    char some[NUM_COMMAS], all[NUM_COMMAS];
    uint64_t n = c->samples + c->stacks;
    const char *what = c->stacks == 0 ? "sample" : c->samples == 0 ? "folded line" : "item";
    diag_finish(c->diag);
    if (c->without_frames > 0)
        diag_note(c->diag, "%.*s of %.*s samples have no frames and are left out",
                  SPAN_ARG(num_commas(some, c->without_frames)),
                  SPAN_ARG(num_commas(all, c->samples)));
    input_say_skipped(&c->input, n, what);
    if (n == 0 && c->input.skipped == 0 && c->diag->status == 0)
        diag_note(c->diag, "no samples in the input");
}

/* Reports that the file is not of the format, with what it looks like instead. */
static void
report_useless(struct collapse *c, size_t format, const char *looks)
{
    struct place file = {c->input.name, 0};
    if (looks != NULL)
        diag_error(c->diag, file, "no line could be used; this looks like %s", looks);
    else if (format != FORMAT_COUNT)
        diag_error(c->diag, file, "no line could be used: this is not %s", format_name(format));
    else
        diag_error(c->diag, file, "no line could be used: this is none of the formats %.*s",
                   (int)(sizeof FORMAT_NAMES - sizeof "|guess"), FORMAT_NAMES);
}

static void
fold_file(struct collapse *c, size_t format, void *states[FORMAT_COUNT])
{
    uint64_t items = c->samples + c->stacks, skipped = c->input.skipped;
    struct span head = lines_ahead(&c->input.lines, LOOKSLIKE_BYTES);
    const char *looks =
        looks_like(span_head(head, head.len < LOOKSLIKE_BYTES ? head.len : LOOKSLIKE_BYTES));
    size_t used = format < FORMAT_COUNT ? format : 0;
    if (c->options->verbose)
        diag_note(c->diag, "%s: read as %s", c->input.name, format_name(used));
    format_fold(format_at(used), c, &states[used]);
    if (!c->options->script)
        format_finish(format_at(used), states[used]);
    if (c->samples + c->stacks == items && c->input.skipped != skipped)
        report_useless(c, format, looks);
}

/* To a script all files are one text, so a stack may begin in one and end in the next. */
static void
fold_files(struct collapse *c, void *states[FORMAT_COUNT])
{
    size_t format = c->options->from;
    while (input_next(&c->input)) {
        if (c->options->from == FORMAT_COUNT)
            format = format_guess(&c->input.lines);
        fold_file(c, format, states);
    }
    if (c->options->script)
        format_finish(format_at(format), states[format]);
}

/* Lets each format report, once the output is written. */
static void
end_formats(void *states[FORMAT_COUNT])
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        format_end(format_at(i), states[i]);
}

int
main(int argc, char **argv)
{
    struct options o;
    void *states[FORMAT_COUNT] = {NULL};
    struct opt_reader r;
    struct diag diag;
    struct out out;

    options_read(&o, &r, &diag, argc, argv);
    struct collapse c = {.options = &o, .diag = &diag, .out = &out};
    input_start(&c.input, &diag, r.argv, (size_t)r.noperands);
    c.input.as_is = o.script;
    out_stdout(&out);
    fold_files(&c, states);
    profile_write(&c.profile, &out);
    out_close(&out);
    end_formats(states);
    report(&c);
    /* A Perl script's status is 0 also if it cannot read a file. */
    return o.script ? c.script_status : input_status(&c.input, o.strict);
}

/* stackcollapse: fold samples into one line a stack. */
#include "common/base/num.h"
#include "cmd/stackcollapse/formats.h"
#include "cmd/stackcollapse/build/jsonfile.h"
#include "cmd/stackcollapse/options.h"
#include "common/base/confine.h"
#include "common/demangle/demangle_rust.h"
#include "common/stack/lookslike.h"

/* Reports what of the input is not in the output. */
static void
report(const struct collapse *c)
{
    char some[NUM_COMMAS], all[NUM_COMMAS];
    uint64_t n = c->samples + c->stacks;
    const char *what = c->stacks == 0 ? "sample" : c->samples == 0 ? "folded line" : "item";
    diag_finish(c->diag);
    if (profile_is_full(&c->profile) || c->samples == UINT64_MAX)
        diag_error(c->diag, NOWHERE, DECIMAL_FULL);
    if (c->without_frames > 0)
        diag_note(c->diag, "%.*s of %.*s samples have no frames and are left out",
                  SPAN_ARG(num_commas(some, c->without_frames)),
                  SPAN_ARG(num_commas(all, c->samples)));
    input_say_skipped(&c->input, n, what);
    if (c->diag->status != 0)
        return;
    if (c->has_text && !c->options->script && profile_is_empty(&c->profile))
        diag_error(c->diag, NOWHERE,
                   n == 0 ? "no samples in the input" : "no sample of the input is left to fold");
    else if (n == 0 && c->input.skipped == 0)
        diag_note(c->diag, "no samples in the input");
}

/* Reports that no line of the open file could be used. `used` and `guess` are the formats as which
 * it was read, and that it seems to have; `looks` is what look() returned. */
static void
report_useless(struct collapse *c, size_t used, size_t guess, struct span looks)
{
    struct place file = {c->input.name, 0};
    if (guess != FORMAT_COUNT && guess != used)
        diag_error(c->diag, file,
                   "no line could be used: this is not %s; without --from it is read as %s",
                   format_name(used), format_name(guess));
    else if (looks.len > 0)
        diag_error(c->diag, file, "no line could be used; this looks like %.*s", SPAN_ARG(looks));
    else if (guess != FORMAT_COUNT && !c->options->script)
        diag_error(c->diag, file, "no line could be used; this looks like %s, cut or damaged",
                   format_name(used));
    else if (c->options->from != FORMAT_COUNT)
        diag_error(c->diag, file, "no line could be used: this is not %s", format_name(used));
    else
        diag_error(c->diag, file,
                   "no line could be used: this is none of the formats of stackcollapse --help");
}

/* Whether nothing was read of a file though it has lines that are not of its format: they were
 * skipped, or passed over as what other programs print in between. */
static bool
is_useless(const struct collapse *c, size_t used, size_t guess, bool has_text)
{
    const struct format *f = format_at(used);
    bool can_be_guessed = f->is != NULL || f->is_json != NULL || f->is_binary != NULL;
    bool asked = c->options->from != FORMAT_COUNT;
    return c->input.skipped > c->input.skipped_before ||
           (asked && can_be_guessed && has_text && guess != used);
}

/* What the file with this head looks like, if not like the format as which it is read, without the
 * advice to fold it. Empty for a format in JSON: its reader knows better what is wrong. */
static struct span
look(struct span head, size_t used)
{
    const struct span advice = SPAN(": fold it with stackcollapse");
    struct span looks = looks_like(head);
    if (format_at(used)->is_json != NULL ||
        (used == FORMAT_perf && span_starts(looks, SPAN("perf script text"))))
        return SPAN("");
    return span_ends(looks, advice) ? span_head(looks, looks.len - advice.len) : looks;
}

/* How many lines of the open file were used. Among folded stacks blank lines and comments do not
 * count. */
static size_t
lines_used(const struct collapse *c, size_t used, uint64_t stacks_before)
{
    size_t skipped = c->input.skipped - c->input.skipped_before;
    return used == FORMAT_folded ? (size_t)(c->stacks - stacks_before)
                                 : c->input.lines.number - skipped;
}

static void
fold_file(struct collapse *c, void *states[FORMAT_COUNT])
{
    uint64_t items = c->samples + c->stacks, stacks = c->stacks;
    size_t from = c->options->from;
    size_t guess = c->options->script ? from : format_guess(&c->input.lines);
    size_t used = from < FORMAT_COUNT ? from : guess < FORMAT_COUNT ? guess : FORMAT_perf;
    struct span head = looks_head(&c->input.lines), looks = look(head, used);
    bool binary = looks_binary(head), has_text = format_has_text(head);
    c->has_text |= has_text;
    bool is_text = format_at(used)->is_json == NULL && format_at(used)->is_binary == NULL;
    bool other_json = guess == FORMAT_COUNT && jsonfile_is(head);
    if ((binary || other_json) && is_text && !c->options->script) {
        report_useless(c, used, guess, looks);
        return;
    }
    if (c->options->verbose)
        diag_note(c->diag, "%s: read as %s", c->input.name, format_name(used));
    format_fold(format_at(used), c, &states[used]);
    if (!c->options->script)
        format_finish(format_at(used), states[used]);
    bool nothing = c->samples + c->stacks == items;
    if (nothing && is_useless(c, used, guess, has_text))
        report_useless(c, used, guess, looks);
    else if (!nothing && is_text)
        looks_report_skipped(&c->input, looks, lines_used(c, used, stacks), true);
}

/* To a script all files are one text, so a stack may begin in one and end in the next. */
static void
fold_files(struct collapse *c, void *states[FORMAT_COUNT])
{
    size_t from = c->options->from;
    while (input_next(&c->input))
        fold_file(c, states);
    if (c->options->script)
        format_finish(format_at(from), states[from]);
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
    confine(o.inlined ? CONFINE_ASKING : CONFINE_READING);
    struct collapse c = {.options = &o, .diag = &diag, .out = &out, .profile.masks = !o.script};
    if (!o.script && o.fold.names.tidy != TIDY_NONE)
        c.profile.demangle = demangle_rust_frame;
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

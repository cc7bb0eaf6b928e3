/* stackcollapse: folds samples into one line for each stack. */
#include <stdio.h>

#include "cmd/stackcollapse/formats.h"
#include "cmd/stackcollapse/shared/jsonfile.h"
#include "cmd/stackcollapse/options.h"
#include "cmd/stackcollapse/script/scripts.h"
#include "common/base/confine.h"
#include "common/demangle/demangle_rust.h"
#include "common/stack/text/lookslike.h"
#include "common/sym/debuginfod.h"

static const struct opt_program program = {
    .name = "stackcollapse",
    .synopsis = "[option ...] [file ...]",
    .about = "Folds stack samples into one line a stack: \"root;caller;leaf count\".",
    .table = options_table,
    .usage_status = 2,
};

/* Report that no line of the open file could be used. `used` is the format as which it was read,
 * `guess` the one that it seems to have, and `looks` the result of look(). */
static void
report_useless(struct collapse *c, size_t used, size_t guess, struct span looks)
{
    struct place file = {c->input.name, 0};
    if (guess != FORMAT_COUNT && guess != used)
        diag_error(c->diag, file,
                   "no line could be used: this is not %s; without --from it is read as %s",
                   format_names[used], format_names[guess]);
    else if (looks.len > 0)
        diag_error(c->diag, file, "no line could be used; this looks like %.*s", SPAN_ARG(looks));
    else if (guess != FORMAT_COUNT)
        diag_error(c->diag, file, "no line could be used; this looks like %s, cut or damaged",
                   format_names[used]);
    else if (c->options->from != FORMAT_COUNT)
        diag_error(c->diag, file, "no line could be used: this is not %s", format_names[used]);
    else
        diag_error(c->diag, file,
                   "no line could be used: this is none of the formats of stackcollapse --help");
}

/* Report that few lines of the open file are perf script text, so that it is not read. */
static void
report_few(struct collapse *c, struct span looks)
{
    if (looks.len > 0)
        report_useless(c, FORMAT_perf, FORMAT_COUNT, looks);
    else
        diag_error(c->diag, (struct place){c->input.name, 0},
                   "few lines could be used: this is none of the formats of stackcollapse --help, "
                   "though some lines are as perf script prints them (--from=perf reads these)");
}

/* Return true if nothing was used of a file whose lines are not of its format: they were skipped,
 * or ignored as output of other programs in between. */
static bool
is_useless(const struct collapse *c, size_t used, size_t guess, bool has_text)
{
    const struct format *f = formats[used];
    bool can_be_guessed = f->is != NULL || f->is_json != NULL || f->is_binary != NULL;
    bool asked = c->options->from != FORMAT_COUNT;
    return c->input.skipped > c->input.skipped_before ||
           (asked && can_be_guessed && has_text && guess != used);
}

/* Return true if each line ends in a number, although that may be part of a name. */
static bool
may_be_folded(struct span head)
{
    bool any = false, all = true;
    while (head.len > 0 && all) {
        struct span line = span_take(&head, '\n');
        bool is_folded = format_folded.is(line), is_cut = any && head.len == 0;
        any |= is_folded;
        all = is_folded || is_cut || span_trim(line).len == 0;
    }
    return any && all;
}

/* Return what a file with this head looks like, without the advice to fold it; empty if that is the
 * format as which it is read. Return an empty text also for a JSON format, whose reader says what
 * is wrong. */
static struct span
look(struct span head, size_t used)
{
    const struct span advice = SPAN(": fold it with stackcollapse");
    struct span looks = looks_like(head);
    if (formats[used]->is_json != NULL ||
        (used == FORMAT_perf && span_starts(looks, SPAN("perf script text"))))
        return SPAN("");
    if (looks.len == 0 && used == FORMAT_perf && may_be_folded(head))
        return SPAN("text with numbers at the ends of its lines (--from=folded reads it)");
    return span_ends(looks, advice) ? span_head(looks, looks.len - advice.len) : looks;
}

static void
fold_file(struct collapse *c, void *states[FORMAT_COUNT])
{
    uint64_t items = c->samples + c->stacks, stacks = c->stacks;
    size_t from = c->options->from;
    size_t guess = format_guess(&c->input.lines);
    size_t used = from < FORMAT_COUNT ? from : guess < FORMAT_COUNT ? guess : FORMAT_perf;
    char copy[LOOKSLIKE_BYTES];
    struct span head = looks_copy_head(&c->input.lines, copy);
    bool binary = looks_binary(head), has_text = format_has_text(head);
    c->has_text |= has_text;
    bool is_text = formats[used]->is_json == NULL && formats[used]->is_binary == NULL;
    bool other_json = guess == FORMAT_COUNT && jsonfile_is(head);
    if ((binary || other_json) && is_text) {
        report_useless(c, used, guess, look(head, used));
        return;
    }
    if ((c->options->fold.slice > 0 || c->options->latency) && used != FORMAT_perf) {
        diag_error(c->diag, (struct place){c->input.name, 0},
                   "option --%s needs the times of perf script text; this is read as %s",
                   c->options->latency ? "latency" : "slice", format_names[used]);
        return;
    }
    if (from == FORMAT_COUNT && used == FORMAT_perf) {
        struct looks_share share = looks_perf_share(&c->input.lines);
        if (share.perf > 0 && share.perf < share.other) {
            report_few(c, look(head, used));
            return;
        }
    }
    if (c->options->verbose)
        diag_note(c->diag, "%s: read as %s", c->input.name, format_names[used]);
    if (c->options->guess) {
        printf("%s\n", format_names[used]);
        return;
    }
    format_fold(formats[used], c, &states[used]);
    format_finish(formats[used], &states[used]);
    /* Among the used lines, do not count blank lines and comments between folded stacks. */
    size_t skipped = c->input.skipped - c->input.skipped_before,
           lines = used == FORMAT_folded ? (size_t)(c->stacks - stacks)
                                         : c->input.lines.number - skipped;
    bool nothing = c->samples + c->stacks == items;
    if (nothing && is_useless(c, used, guess, has_text))
        report_useless(c, used, guess, look(head, used));
    else if (!nothing && is_text && skipped > 0)
        looks_report_skipped(&c->input, look(head, used), lines, true);
}

/* Fold the open file as a script does. To a script all files are one text, so a stack may begin in
 * one file and end in the next. */
static void
fold_as_script(struct collapse *c, const struct format *script, void **state)
{
    uint64_t items = c->samples + c->stacks;
    char copy[LOOKSLIKE_BYTES];
    struct span head = looks_copy_head(&c->input.lines, copy), looks;
    format_fold(script, c, state);
    if (c->samples + c->stacks > items || c->input.skipped == c->input.skipped_before)
        return;
    looks = looks_like(head);
    diag_error(c->diag, (struct place){c->input.name, 0}, "no line could be used%s%.*s",
               looks.len > 0 ? "; this looks like " : ": this is not what this script reads",
               SPAN_ARG(looks));
}

int
main(int argc, char **argv)
{
    struct options o = {
        .dialect = &dialect_native, .from = FORMAT_COUNT, .debug_dir = "/usr/lib/debug"};
    void *states[FORMAT_COUNT] = {NULL}, *script_state = NULL;
    const struct old_script *called = script_called(argc, argv);
    const struct format *script = NULL;
    struct opt_reader r;
    struct diag diag;
    struct out out;

    if (called != NULL)
        script = script_start(called, &o, &r, &diag, argc, argv);
    else
        options_read(&o, &r, &diag, &program, argc, argv);
    o.servers = debuginfod_start(o.inlined && o.debuginfod, &diag);
    confine(CONFINE_READING);
    struct collapse c = {.options = &o, .diag = &diag, .out = &out, .profile.masks = !script};
    if (script == NULL && o.fold.names.tidy != TIDY_NONE)
        c.profile.demangle = demangle_rust_frame;
    input_start(&c.input, &diag, r.argv, (size_t)r.noperands);
    c.input.as_is = script != NULL;
    out_stdout(&out);
    while (input_next(&c.input))
        if (script != NULL)
            fold_as_script(&c, script, &script_state);
        else
            fold_file(&c, states);
    if (script != NULL)
        format_finish(script, &script_state);
    if (o.guess)
        return fflush(stdout) != 0 || diag.status != 0;
    profile_write(&c.profile, &out);
    out_close(&out);
    if (script != NULL)
        format_end(script, &script_state);
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        format_end(formats[i], &states[i]);
    format_report(&c);
    return script != NULL ? c.script_status : input_status(&c.input, o.strict);
}

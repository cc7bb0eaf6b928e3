#include "cmd/stackreport/stallfiles.h"

#include "common/base/num.h"

#define RECORD_THEM "record with: stackrecord --wall --turns=50 -p PID"

static bool
accept(void *ctx, const struct perf_header *h)
{
    struct stallfiles *r = ctx;
    r->samples++;
    return stalls_wants(h);
}

void
stallfiles_init(struct stallfiles *r, const struct stalls_options *options, enum input_format from,
                struct diag *diag)
{
    *r = (struct stallfiles){.diag = diag, .from = from};
    perftext_init(&r->perf, &perf_rules, &r->input.lines);
    r->perf.source.accept = accept;
    r->perf.source.ctx = r;
    r->perf.source.numbers = PERF_NUMBERS;
    stalls_init(&r->stalls, options, diag, &r->perf.frames);
}

static void
read_perf(struct stallfiles *r)
{
    enum { FRAMES_MAX = 1 << 20 };
    struct source *from = &r->perf.source;
    for (enum source_item item; (item = source_next(from)) != ITEM_END;) {
        if (item == ITEM_SAMPLE) {
            stalls_add(&r->stalls, &from->sample);
            /* An endless pipe contains an endless number of new addresses. */
            if (frametab_count(&r->perf.frames) > FRAMES_MAX)
                perftext_forget_frames(&r->perf);
        } else if (item == ITEM_COMMENT) {
            stalls_comment(&r->stalls, from->text);
        } else if (item == ITEM_SKIPPED || item == ITEM_STRAY) {
            input_skip(&r->input, from->why);
        }
    }
    input_warn_cut(&r->input);
}

void
stallfiles_read(struct stallfiles *r)
{
    uint64_t samples = r->samples, skipped = r->input.skipped;
    struct span looks = SPAN("");
    enum input_format format = r->from;
    /* Do not look ahead in a pipe that is read live: its first 4 KB may take long. */
    if (r->stalls.options->each == NULL)
        looks = looks_like(looks_head(&r->input.lines));
    if (format == INPUT_GUESS)
        format = looks_format(&r->input.lines);
    if (format == INPUT_FOLDED) {
        diag_error(
            r->diag, (struct place){r->input.name, 0},
            "folded stacks do not say when turns of an event loop ended, which --stalls needs: "
            "give it sample text; " RECORD_THEM);
        return;
    }
    if (span_starts(looks, SPAN("perf script text")))
        looks = SPAN("");
    read_perf(r);
    if (r->samples == samples && r->input.skipped > skipped)
        diag_error(r->diag, (struct place){r->input.name, 0},
                   "no line could be used: this is not perf script text%s%.*s",
                   looks.len > 0 ? "; it looks like " : "", SPAN_ARG(looks));
    else
        looks_report_skipped(&r->input, looks,
                             (size_t)(r->input.lines.number - (r->input.skipped - skipped)), false);
}

void
stallfiles_report(struct stallfiles *r)
{
    if (r->stalls.incomplete > 0)
        diag_error(r->diag, NOWHERE,
                   "%s samples of the events wall and turn lack the thread, the time or the period",
                   NUM_TEXT(r->stalls.incomplete));
    else if (r->stalls.walls + r->stalls.ends == 0 && r->diag->status == 0)
        diag_error(r->diag, NOWHERE,
                   "no samples of the events wall and turn, which --stalls needs: " RECORD_THEM);
    else if (r->stalls.ends == 0 && !r->stalls.has_turns && r->diag->status == 0)
        diag_note(r->diag,
                  "no sample of the event turn: no turn of an event loop took long, or the "
                  "recording has no turns; " RECORD_THEM);
    diag_finish(r->diag);
    input_say_skipped(&r->input, r->samples, "sample");
}

void
stallfiles_free(struct stallfiles *r)
{
    stalls_free(&r->stalls);
    perftext_free(&r->perf);
}

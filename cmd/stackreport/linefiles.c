#include "cmd/stackreport/linefiles.h"

#include "cmd/stackreport/cpulines.h"
#include "common/base/num.h"
#include "common/stack/model/eventname.h"

static bool
accept(void *ctx, const struct perf_header *h)
{
    struct linefiles *r = ctx;
    bool wanted = eventchoice_take(&r->events, h->field[PERF_EVENT]);
    r->samples += !wanted && !eventname_is_turn(h->field[PERF_EVENT]);
    return wanted;
}

void
linefiles_init(struct linefiles *r, enum weight weight, struct eventlist *events, struct diag *diag)
{
    *r = (struct linefiles){.weight = weight, .from = INPUT_GUESS, .diag = diag};
    perftext_init(&r->perf, &perf_rules, &r->input.lines);
    r->perf.source.accept = accept;
    r->perf.source.ctx = r;
    r->events.list = events;
    r->events.verb = "counts";
}

static void
read_perf(struct linefiles *r)
{
    enum { FRAMES_MAX = 1 << 20 };
    struct source *s = &r->perf.source;
    for (enum source_item item; (item = source_next(s)) != ITEM_END;) {
        if (item == ITEM_SAMPLE) {
            linecount_sample(&r->count, &r->perf.frames, s->sample.frames, s->sample.nframes,
                             measure_sample(r->weight, &s->sample.header, &r->no_period));
            r->samples++;
            if (frametab_count(&r->perf.frames) > FRAMES_MAX)
                perftext_forget_frames(&r->perf);
        } else if (item == ITEM_SKIPPED || item == ITEM_STRAY) {
            input_skip(&r->input, s->why);
        }
    }
    input_warn_cut(&r->input);
}

static void
read_profile(struct linefiles *r)
{
    char why[JSON_WHY];
    struct place at = {r->input.name, 0};
    if (r->count.instructions) {
        diag_error(r->diag, at, "a .cpuprofile has no instructions, but lines: --lines");
        return;
    }
    r->profiles = true;
    r->samples += cpulines_read(&r->count, &r->input.lines, why);
    if (why[0] != '\0')
        diag_error(r->diag, at, "%s", why);
}

void
linefiles_read(struct linefiles *r)
{
    uint64_t samples = r->samples;
    size_t skipped = r->input.skipped;
    struct span head = looks_head(&r->input.lines), looks = looks_like(head);
    bool guess = r->from == INPUT_GUESS;
    if (guess && cpulines_is(head))
        read_profile(r);
    else if (guess && looks_format(&r->input.lines) == INPUT_FOLDED)
        diag_error(r->diag, (struct place){r->input.name, 0},
                   "folded stacks have neither source lines nor instructions: give sample text");
    else
        read_perf(r);
    if (r->samples == samples && r->input.skipped > skipped)
        looks_report_unusable(&r->input, looks);
}

void
linefiles_report(struct linefiles *r)
{
    const struct linecount *c = &r->count;
    eventchoice_report(&r->events, r->diag);
    if (decimal_is_full(c->all))
        diag_error(r->diag, NOWHERE, DECIMAL_FULL);
    if (r->no_period > 0)
        diag_note(r->diag, "samples without a period: %s, each counts 1", NUM_TEXT(r->no_period));
    if (r->profiles)
        diag_note(r->diag, "a .cpuprofile has no lines of calls: the total of its lines is self");
    diag_finish(r->diag);
    input_say_skipped(&r->input, r->samples, "sample");
    if (r->diag->status != 0)
        return;
    if (decimal_is_zero(c->all))
        diag_note(r->diag, "no samples in the input");
    else if (!c->placed && c->instructions)
        diag_error(r->diag, NOWHERE, "no frame has an offset: perf-script prints them (symoff)");
    else if (!c->placed && r->profiles)
        diag_error(r->diag, NOWHERE,
                   "no function of the profile has positionTicks: write it with "
                   "node --cpu-prof");
    else if (!c->placed)
        diag_error(r->diag, NOWHERE,
                   "no frame has a source line: record with stackrecord --inline --lines, or print "
                   "the recording with perf-script --inline -F +srcline --full-source-path; of "
                   "JavaScript, node --cpu-prof writes lines");
}

void
linefiles_free(struct linefiles *r)
{
    eventchoice_free(&r->events);
    linecount_free(&r->count);
    perftext_free(&r->perf);
}

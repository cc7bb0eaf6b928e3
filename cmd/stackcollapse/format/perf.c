/* perf's text, folded. */
#include <stdlib.h>

#include "cmd/stackcollapse/build/dialect.h"
#include "cmd/stackcollapse/build/inline.h"
#include "cmd/stackcollapse/formats.h"
#include "common/stack/events.h"
#include "common/stack/fold.h"
#include "common/stack/measure.h"
#include "common/stack/roots.h"

struct state {
    struct collapse *c;
    struct perftext *text;
    struct fold fold;
    struct inliner *inliner; /* NULL without --inline */
    struct fold_run *runs;   /* one, unless the rules let a header replace another */
    size_t nruns, runs_cap;
    struct events events;
    uint64_t no_period; /* samples that do not print one */
    struct roots roots;
};

/* Notes the header that was accepted. */
static void
begin_run(struct state *st, const struct perf_header *h)
{
    size_t start = st->text->source.open ? st->text->source.sample.nframes : 0;
    if (!st->c->options->fold.names.dialect->java_by_comm)
        return;
    while (st->nruns > 0 && st->runs[st->nruns - 1].start >= start)
        st->nruns--;
    st->runs = mem_grow(st->runs, &st->runs_cap, st->nruns + 1, sizeof *st->runs);
    st->runs[st->nruns++] =
        (struct fold_run){start, span_starts(h->field[PERF_COMM], SPAN("java"))};
}

static bool
accept(void *ctx, const struct perf_header *h)
{
    struct state *st = ctx;
    bool wanted = events_take(&st->events, h->field[PERF_EVENT]);
    if (wanted)
        begin_run(st, h);
    else
        st->c->samples++;
    return wanted;
}

static void
add_sample(struct state *st)
{
    const struct sample *s = &st->text->source.sample;
    st->c->samples++;
    st->fold.runs = st->runs;
    st->fold.nruns = st->nruns;
    struct decimal count = measure_sample(st->c->options->weight, &s->header, &st->no_period);
    if (!fold_add(&st->fold, s, count))
        st->c->without_frames++;
    if (st->c->options->dialect->reports_oddities)
        roots_add(&st->roots, &st->text->frames, s, st->fold.comm);
}

static struct state *
state_new(struct collapse *c)
{
    const struct options *o = c->options;
    struct state *st = mem_alloc(sizeof *st);
    *st = (struct state){.c = c, .text = mem_alloc(sizeof *st->text)};
    perftext_init(st->text, o->fold.names.srcline ? o->dialect->rules_srcline : o->dialect->rules,
                  &c->input.lines);
    fold_init(&st->fold, &o->fold, &st->text->frames, &c->profile);
    st->inliner = o->inlined ? inliner_new(o, c->diag) : NULL;
    st->fold.names.add_inlined = o->inlined ? inliner_add : NULL;
    st->fold.names.ctx = st->inliner;
    st->runs = mem_grow(NULL, &st->runs_cap, 1, sizeof *st->runs);
    st->runs[st->nruns++] = (struct fold_run){0, false};
    st->text->source.accept = accept;
    st->text->source.ctx = st;
    st->events.list = o->event_list;
    st->events.verb = "folds";
    st->events.asked = o->event != NULL && o->event[0] != '\0';
    if (st->events.asked)
        st->events.only = span_cstr(o->event);
    st->events.lenient = o->dialect->lenient_filter;
    return st;
}

static void
fold(struct collapse *c, void **state)
{
    struct state *st = *state = *state != NULL ? *state : state_new(c);
    struct source *source = &st->text->source;
    for (enum source_item item; (item = source_next(source)) != ITEM_END;) {
        if (item == ITEM_SAMPLE)
            add_sample(st);
        else if (item == ITEM_SKIPPED ||
                 (item == ITEM_STRAY && !c->options->dialect->silent_strays))
            input_skip(&c->input, source->why);
    }
    if (c->options->dialect->reports_oddities)
        input_warn_cut(&c->input);
}

/* Reports what is odd about the samples, and what the options needed and the input lacks. */
static void
report(struct state *st)
{
    const struct collapse *c = st->c;
    bool periods = c->options->weight_given || c->options->dialect->reports_oddities;
    roots_report(&st->roots, &st->fold.comms, c->diag);
    events_report(&st->events, c->diag);
    fold_report(&st->fold, periods ? st->no_period : 0, c->diag);
}

static void
end(void *state)
{
    struct state *st = state;
    report(st);
    perftext_free(st->text);
    free(st->text);
    fold_free(&st->fold);
    inliner_free(st->inliner);
    free(st->runs);
    events_free(&st->events);
    roots_free(&st->roots);
    free(st);
}

const struct dialect dialect_native = {
    .names = &foldname_native,
    .tidy = TIDY_BRACKETS,
    .weight = WEIGHT_BY_EVENT,
    .rules = &perf_rules,
    .rules_srcline = &perf_rules,
    .reports_oddities = true,
};

const struct format format_perf = {
    .is = perf_line_is_perf,
    .fold = fold,
    .end = end,
};

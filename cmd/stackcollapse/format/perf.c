/* Folds perf's text. */
#include "cmd/stackcollapse/shared/inline.h"
#include "cmd/stackcollapse/shared/perfreader.h"
#include "common/stack/model/eventchoice.h"
#include "common/stack/model/eventname.h"
#include "common/stack/model/latency.h"
#include "common/stack/frames/roots.h"

struct perf_file {
    struct perfreader perf;
    struct inliner *inliner;   /* NULL without --inline */
    VEC(struct fold_run) runs; /* one, unless the rules let a later header replace it */
    struct eventchoice events;
    uint64_t no_period; /* number of samples without a printed period */
    struct roots roots;
    struct latency latency; /* with --latency: of the open file */
};

/* Begin a run with the accepted header, or replace the last one. */
static void
begin_run(struct perf_file *st, const struct perf_header *h)
{
    const struct source *source = &st->perf.text->source;
    size_t start = source->open ? source->sample.nframes : 0;
    if (!st->perf.base.c->options->fold.names.dialect->java_from_command)
        return;
    while (st->runs.n > 0 && st->runs.at[st->runs.n - 1].start >= start)
        st->runs.n--;
    VEC_ADD(st->runs, (struct fold_run){start, span_starts(h->field[PERF_COMM], SPAN("java"))});
}

/* Return true for a sample that tells the length of a turn, and is no stack. */
static bool
is_turn(const struct perf_file *st, const struct perf_header *h)
{
    return !st->events.takes_turns && eventname_is_turn(h->field[PERF_EVENT]);
}

static bool
accept(void *ctx, const struct perf_header *h)
{
    struct perf_file *st = ctx;
    if (is_turn(st, h))
        return st->perf.base.c->options->fold.slice > 0;
    bool wanted = eventchoice_take(&st->events, h->field[PERF_EVENT]);
    if (wanted)
        begin_run(st, h);
    else
        st->perf.base.c->samples++;
    return wanted;
}

/* With --latency, keep the sample: its count is only known at the end of the file. */
static bool
add_latency(struct perf_file *st, const struct sample *s, struct decimal count)
{
    const struct fold *fold = &st->perf.fold;
    fold_stack(&st->perf.fold, s);
    if (fold_is_empty(fold))
        return false;
    latency_add(&st->latency, s, fold->frames, fold->stack, fold->nstack, count.whole);
    return true;
}

static void
add_stack(void *profile, const uint32_t *names, size_t n, struct decimal count)
{
    profile_add(profile, names, n, count, NULL);
}

static void
finish(struct stacker *f)
{
    fold_finish(&((struct perf_file *)f)->perf.fold);
    if (f->c->options->latency)
        latency_finish(&((struct perf_file *)f)->latency, &f->c->profile, add_stack,
                       &f->c->profile);
}

static void
add_sample(struct stacker *f, const struct sample *s)
{
    struct perf_file *st = (struct perf_file *)f;
    struct fold *fold = &st->perf.fold;
    if (is_turn(st, &s->header)) {
        fold_turn(fold, &s->header);
        return;
    }
    f->c->samples++;
    fold->runs = st->runs.at;
    fold->nruns = st->runs.n;
    struct decimal count = measure_sample(f->c->options->weight, &s->header, &st->no_period);
    if (f->c->options->latency ? !add_latency(st, s, count) : !fold_add(fold, s, count))
        f->c->without_frames++;
    if (f->c->options->dialect->reports_oddities)
        roots_add(&st->roots, &st->perf.text->frames, s, fold->comm, 1);
}

static void
begin(struct stacker *f)
{
    const struct options *o = f->c->options;
    struct perf_file *st = (struct perf_file *)f;
    st->inliner = o->inlined ? inliner_new(o, f->c->diag) : NULL;
    st->perf.fold.names.add_inlined = o->inlined ? inliner_add : NULL;
    st->perf.fold.names.ctx = st->inliner;
    VEC_ADD(st->runs, (struct fold_run){0, false});
    st->events.list = o->event_list;
    st->events.verb = "folds";
    st->events.asked = o->event != NULL && o->event[0] != '\0';
    if (st->events.asked)
        st->events.only = span_cstr(o->event);
    st->events.lenient = o->dialect->lenient_filter;
    st->events.one_kind = st->events.takes_turns = o->dialect->one_kind_of_core;
}

/* Report what is odd about the samples, and data that the options need and the input lacks. */
static void
end(struct stacker *f)
{
    struct perf_file *st = (struct perf_file *)f;
    const struct collapse *c = f->c;
    bool periods = c->options->weight_given || c->options->dialect->reports_oddities;
    roots_report(&st->roots, &st->perf.fold.comms, c->diag);
    eventchoice_report(&st->events, c->diag);
    fold_report(&st->perf.fold, periods ? st->no_period : 0, c->diag);
    latency_report(&st->latency, c->diag);
    latency_free(&st->latency);
    inliner_free(st->inliner);
    eventchoice_free(&st->events);
    roots_free(&st->roots);
}

const struct dialect dialect_native = {
    .names = &foldname_native,
    .tidy = TIDY_BRACKETS,
    .weight = WEIGHT_BY_EVENT,
    .rules = &perf_rules,
    .reports_oddities = true,
};

const struct format format_perf = {.is = perf_line_is_perf,
                                   .state_size = sizeof(struct perf_file),
                                   .begin = begin,
                                   .sample = add_sample,
                                   .accept = accept,
                                   .finish = finish,
                                   .end = end,
                                   .buffers = MEMBERS(struct perf_file, runs)};

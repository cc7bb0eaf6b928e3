/* Perf script text, folded. The names of a frame are composed once and looked up by its number. */
#include <stdlib.h>

#include "common/base/num.h"
#include "cmd/stackcollapse/dialect.h"
#include "cmd/stackcollapse/events.h"
#include "cmd/stackcollapse/formats.h"
#include "cmd/stackcollapse/names.h"
#include "common/stack/measure.h"
#include "common/stack/roots.h"

/* What a frame stands for: usually the number of one name; with NAME_LIST_BIT set, the place of a
 * list of names in `lists`. */
#define NAME_LIST_BIT 0x80000000u
#define UNSEEN        UINT32_MAX

/* The sample's frames from `start` on were read after a header whose command is java*, or is not. */
struct run {
    size_t start;
    bool java;
};

struct state {
    struct collapse *c;
    struct perftext *text;
    struct names names;
    uint32_t *lookup[2]; /* by frame number; [1] if the command is java* and that counts */
    size_t lookup_cap[2], lookup_len[2];
    uint32_t *lists; /* a count, then so many names */
    size_t nlists, lists_cap;
    uint32_t *stack; /* names, root first */
    size_t nstack, stack_cap;
    struct run *runs; /* one, unless the rules let a header replace another */
    size_t nruns, runs_cap;
    struct events events;
    struct intern comms; /* command names as printed */
    uint32_t comm; /* of the last sample: most samples have the same command as the one before */
    uint32_t *comm_names; /* as `lookup`, by command */
    size_t comm_cap, comm_len;
    uint64_t no_pid, no_period; /* samples that do not print one */
    struct roots roots;
};

/* Notes the header that was accepted. */
static void
begin_run(struct state *st, const struct perf_header *h)
{
    size_t start = st->text->source.open ? st->text->source.sample.nframes : 0;
    if (!st->c->options->dialect->java_by_comm)
        return;
    while (st->nruns > 0 && st->runs[st->nruns - 1].start >= start)
        st->nruns--;
    st->runs = mem_grow(st->runs, &st->runs_cap, st->nruns + 1, sizeof *st->runs);
    st->runs[st->nruns++] = (struct run){start, span_starts(h->field[PERF_COMM], SPAN("java"))};
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

static uint32_t
keep_list(struct state *st)
{
    const struct names *n = &st->names;
    if (n->count == 1 && n->ids[0] < NAME_LIST_BIT)
        return n->ids[0];
    if (n->count + st->nlists >= NAME_LIST_BIT - 1)
        mem_exhausted();
    uint32_t at = (uint32_t)st->nlists;
    st->lists = mem_grow(st->lists, &st->lists_cap, st->nlists + n->count + 1, sizeof *st->lists);
    st->lists[st->nlists++] = (uint32_t)n->count;
    for (size_t i = 0; i < n->count; i++)
        st->lists[st->nlists++] = n->ids[i];
    return NAME_LIST_BIT | at;
}

static uint32_t
look_up(struct state *st, uint32_t frame, bool java)
{
    uint32_t **table = &st->lookup[java];
    if (frame >= st->lookup_len[java]) {
        *table = mem_grow(*table, &st->lookup_cap[java],
                          frametab_count(&st->text->frames), sizeof **table);
        while (st->lookup_len[java] < st->lookup_cap[java])
            (*table)[st->lookup_len[java]++] = UNSEEN;
    }
    if ((*table)[frame] == UNSEEN) {
        names_of_frame(&st->names, frametab_frame(&st->text->frames, frame), java);
        (*table)[frame] = keep_list(st);
    }
    return (*table)[frame];
}

static void
push(struct state *st, const uint32_t *names, size_t n)
{
    st->stack = mem_grow(st->stack, &st->stack_cap, st->nstack + n, sizeof *st->stack);
    for (size_t i = 0; i < n; i++)
        st->stack[st->nstack++] = names[i];
}

static void
push_names(struct state *st, uint32_t names)
{
    if (names < NAME_LIST_BIT)
        push(st, &names, 1);
    else
        push(st, &st->lists[names & ~NAME_LIST_BIT] + 1, st->lists[names & ~NAME_LIST_BIT]);
}

static void
set_comm(struct state *st, struct span text)
{
    if (st->comms.count == 0 || !span_eq(intern_text(&st->comms, st->comm), text))
        st->comm = intern_add(&st->comms, text);
}

/* The command's name, composed once unless it carries the pid. */
static void
push_comm(struct state *st, const struct perf_header *h)
{
    if (st->c->options->pid || st->c->options->tid) {
        st->no_pid += h->field[PERF_PID].len == 0;
        names_of_comm(&st->names, h);
        push(st, st->names.ids, st->names.count);
        return;
    }
    if (st->comm == st->comm_len) {
        names_of_comm(&st->names, h);
        st->comm_names =
            mem_grow(st->comm_names, &st->comm_cap, st->comm_len + 1, sizeof *st->comm_names);
        st->comm_names[st->comm_len++] = keep_list(st);
    }
    push_names(st, st->comm_names[st->comm]);
}

static bool
is_skipped_after(const struct state *st, uint32_t name)
{
    return pattern_matches(&st->c->options->skip_after, profile_name_text(&st->c->profile, name));
}

/* How many frames from the leaf on stay: up to the first that --skip-after names. */
static size_t
frames_kept(struct state *st, const struct sample *s)
{
    if (!st->c->options->has_skip_after)
        return s->nframes;
    for (size_t i = 0; i < s->nframes; i++) {
        uint32_t v = look_up(st, s->frames[i], false);
        const uint32_t *names = v < NAME_LIST_BIT ? &v : &st->lists[v & ~NAME_LIST_BIT] + 1;
        size_t n = v < NAME_LIST_BIT ? 1 : st->lists[v & ~NAME_LIST_BIT];
        for (size_t j = 0; j < n; j++)
            if (is_skipped_after(st, names[j]))
                return i + 1;
    }
    return s->nframes;
}

static bool
counts_one(enum weight weight, struct span event)
{
    return weight == WEIGHT_SAMPLES || (weight == WEIGHT_BY_EVENT && !measure_is_period(event));
}

static struct decimal
weight(struct state *st, const struct perf_header *h)
{
    struct decimal w = {1, 0};
    if (counts_one(st->c->options->weight, h->field[PERF_EVENT]))
        return w;
    st->no_period += h->field[PERF_PERIOD].len == 0;
    if (num_u64(h->field[PERF_PERIOD], &w.whole) && span_eq(h->field[PERF_PERIOD], SPAN("0")))
        w.whole = 1;
    return w;
}

/* The names of n frames, given leaf first. */
static void
push_frames(struct state *st, const uint32_t *frames, size_t n, bool java)
{
    while (n > 0) {
        /* As long as each frame was seen before and has one name: */
        const uint32_t *table = st->lookup[java];
        size_t known = st->lookup_len[java];
        st->stack = mem_grow(st->stack, &st->stack_cap, st->nstack + n, sizeof *st->stack);
        uint32_t *to = st->stack + st->nstack;
        for (; n > 0 && frames[n - 1] < known && table[frames[n - 1]] < NAME_LIST_BIT; n--)
            *to++ = table[frames[n - 1]];
        st->nstack = (size_t)(to - st->stack);
        if (n > 0)
            push_names(st, look_up(st, frames[--n], java));
    }
}

static void
add_sample(struct state *st)
{
    const struct sample *s = &st->text->source.sample;
    size_t end = frames_kept(st, s);
    st->nstack = 0;
    st->c->samples++;
    set_comm(st, s->header.field[PERF_COMM]);
    if (st->c->options->dialect->reports_oddities)
        roots_add(&st->roots, &st->text->frames, s, st->comm);
    if (!st->c->options->no_comm)
        push_comm(st, &s->header);
    for (size_t i = st->nruns; i-- > 0;) {
        const struct run *run = &st->runs[i];
        if (run->start >= end)
            continue; /* --skip-after cut the whole run */
        push_frames(st, s->frames + run->start, end - run->start, run->java);
        end = run->start;
    }
    if (st->nstack > 0)
        profile_add(&st->c->profile, st->stack, st->nstack, weight(st, &s->header), NULL);
    else
        st->c->without_frames++;
}

static struct state *
state_new(struct collapse *c)
{
    const struct options *o = c->options;
    struct state *st = mem_alloc(sizeof *st);
    *st = (struct state){.c = c, .text = mem_alloc(sizeof *st->text)};
    st->names = (struct names){.options = o, .profile = &c->profile, .diag = c->diag};
    perftext_init(st->text, o->srcline ? o->dialect->rules_srcline : o->dialect->rules,
                  &c->input.lines);
    st->runs = mem_grow(NULL, &st->runs_cap, 1, sizeof *st->runs);
    st->runs[st->nruns++] = (struct run){0, false};
    st->text->source.accept = accept;
    st->text->source.ctx = st;
    st->events.list = o->event_list;
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

/* Reports stacks that end in the middle, if they are so many that the profile misleads. */
static void
report_roots(struct state *st)
{
    enum { FEW = 20 }; /* below a twentieth they are not worth a message */
    char some[NUM_COMMAS], all[NUM_COMMAS];
    struct roots_result r = roots_judge(&st->roots);
    if (r.broken > 0 && r.broken >= r.stacks / FEW)
        diag_note(st->c->diag,
                  "%.*s of %.*s stacks do not reach a root that others reach%s%.*s: frame pointers "
                  "are missing (see perf-script --check)",
                  SPAN_ARG(num_commas(some, r.broken)), SPAN_ARG(num_commas(all, r.stacks)),
                  r.commonest.len > 0 ? "; most end at " : "", SPAN_ARG(r.commonest));
}

/* Reports what is odd about the samples, and what the options needed and the input lacks. */
static void
report(struct state *st)
{
    const struct collapse *c = st->c;
    report_roots(st);
    char digits[NUM_COMMAS];
    events_report(&st->events, c->diag);
    if (st->no_pid > 0)
        diag_note(c->diag,
                  "samples without a process id: %.*s, shown as '?' (perf script -F +pid prints it)",
                  SPAN_ARG(num_commas(digits, st->no_pid)));
    if (st->no_period > 0 && (c->options->weight_given || c->options->dialect->reports_oddities))
        diag_note(c->diag,
                  "samples without a period: %.*s, each counts 1 (perf script -F +period prints it)",
                  SPAN_ARG(num_commas(digits, st->no_period)));
}

static void
end(void *state)
{
    struct state *st = state;
    report(st);
    perftext_free(st->text);
    free(st->text);
    names_free(&st->names);
    intern_free(&st->comms);
    free(st->lookup[0]);
    free(st->lookup[1]);
    free(st->lists);
    free(st->stack);
    free(st->runs);
    free(st->comm_names);
    events_free(&st->events);
    roots_free(&st->roots);
    free(st);
}

static size_t
claims(struct span head)
{
    return format_first_line(head, perf_line_is_perf);
}

const struct format format_perf = {claims, fold, end};

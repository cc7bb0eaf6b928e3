#include "common/stack/model/latency.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/frames/waitkind.h"

struct latency_sample {
    uint64_t start, end; /* the time in which its thread ran or waited, in nanoseconds */
    uint64_t weight;     /* 0: the thread waited */
    uint32_t thread;
    uint32_t stack : 30;
    uint32_t is_sum : 1;     /* the sum of many short times, which need not be contiguous */
    uint32_t has_period : 1; /* `start` is the period, in an unknown unit of time */
};

/* A time in which a thread did the work of several samples, in unknown order: of those from `first`
 * up to the next stretch's. */
struct latency_stretch {
    uint64_t start, end;
    uint64_t running; /* nanoseconds in which it ran */
    size_t first;
};

/* A moment at which threads start or stop running. If a thread ran for half of a stretch, it counts
 * as half a thread. */
struct latency_edge {
    uint64_t time;
    double change; /* change in the number of running threads; after sweep(), see there */
};

/* Events whose period is a time, with the unit in nanoseconds. */
static const struct {
    struct span name;
    uint32_t unit;
    bool is_sum;
} clocks[] = {
    {SPAN("cpu-clock"), 1, false},
    {SPAN("task-clock"), 1, false},
    {SPAN("wall"), 1000, true}, /* stackrecord --wall */
};

/* Set the time from which the thread ran. The sample has the end of that time, and the header its
 * period. */
static void
set_start(struct latency_sample *to, const struct perf_header *h)
{
    struct span event = h->field[PERF_EVENT];
    size_t colon = span_find(event, ':'); /* in "cpu-clock:u" */
    bool has_period = perf_header_has(h, PERF_PERIOD);
    uint64_t period = has_period ? h->period : 1;
    event = colon != SPAN_NONE ? span_head(event, colon) : event;
    for (size_t i = 0; has_period && i < sizeof clocks / sizeof *clocks; i++) {
        if (!span_eq(event, clocks[i].name))
            continue;
        bool fits = period <= to->end / clocks[i].unit;
        to->start = fits ? to->end - period * clocks[i].unit : 0;
        to->is_sum = clocks[i].is_sum;
        return;
    }
    to->start = period > 0 ? period : 1;
    to->has_period = true;
}

/* Return true if the thread did not run: it waited, or its CPU was idle. */
static bool
is_waiting(const struct sample *s, const struct frametab *frames)
{
    struct span event = s->header.field[PERF_EVENT];
    if (span_eq(event, SPAN("off-cpu")) || span_eq(event, SPAN("offcpu-time")) ||
        (perf_header_has(&s->header, PERF_TID) && s->header.tid == 0))
        return true;
    return s->nframes > 0 && waitkind_is(frametab_frame(frames, s->frames[0])->sym);
}

void
latency_add(struct latency *l, const struct sample *s, const struct frametab *frames,
            const uint32_t *names, size_t n, uint64_t weight)
{
    enum { STACKS_MAX = 1 << 30 };
    const struct perf_header *h = &s->header;
    struct latency_sample new = {0};
    bool waiting = is_waiting(s, frames);
    if (!perf_header_has(h, PERF_TID) || h->tid < 0 || h->tid > UINT32_MAX) {
        l->no_thread++;
        return;
    }
    if (!perf_header_has(h, PERF_TIME)) {
        l->no_time++;
        return;
    }
    new.end = h->time;
    set_start(&new, h);
    l->waiting += waiting;
    if (waiting && !new.is_sum)
        return; /* a wait of --wall limits the time of the thread's other sums */
    uint32_t stack = intern_add(&l->stacks, span_of((const char *)names, n * sizeof *names));
    if (stack >= STACKS_MAX)
        mem_exhausted();
    new.weight = waiting ? 0 : weight;
    new.thread = (uint32_t)h->tid;
    new.stack = stack &(STACKS_MAX - 1);
    MEM_ADD(l->samples, l->n, l->cap, new);
}

static int
compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int
by_thread(const void *a, const void *b)
{
    const struct latency_sample *x = a, *y = b;
    if (x->thread != y->thread)
        return compare_numbers(x->thread, y->thread);
    if (x->end != y->end)
        return compare_numbers(x->end, y->end);
    if (x->start != y->start)
        return compare_numbers(x->start, y->start);
    if (x->stack != y->stack)
        return compare_numbers(x->stack, y->stack);
    return compare_numbers(x->weight, y->weight);
}

static int
by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Return the length of the unknown unit of periods, in nanoseconds. If a thread ran without a break
 * since its previous sample, the time for each unit of its period is shortest. Ignore the shortest
 * tenth of the samples: some may be wrong, as on a CPU that was faster for a while. */
static double
unit_of_periods(const struct latency *l)
{
    enum { TENTH = 10 };
    double *units = mem_alloc((l->n + 1) * sizeof *units);
    size_t n = 0;
    for (size_t i = 1; i < l->n; i++) {
        const struct latency_sample *s = &l->samples[i], *before = s - 1;
        if (s->has_period && s->thread == before->thread && s->end > before->end)
            units[n++] = (double)(s->end - before->end) / (double)s->start;
    }
    qsort(units, n, sizeof *units, by_value);
    double unit = n > 0 ? units[n / TENTH] : 0;
    free(units);
    return unit;
}

/* Convert periods to times. */
static void
time_periods(struct latency *l)
{
    double unit = unit_of_periods(l);
    for (size_t i = 0; i < l->n; i++) {
        struct latency_sample *s = &l->samples[i];
        if (!s->has_period)
            continue;
        double length = (double)s->start * unit;
        s->start = length < (double)s->end ? s->end - (uint64_t)length : 0;
    }
}

/* Add the time of the i-th sample to the stretches of its thread. A thread does one thing at a
 * time. If a sample begins before the end of the last one, move its start there: the samples of a
 * clock come a little early or late. But sums that overlap alternated, and become one stretch. */
static void
add_stretch(struct latency *l, size_t i)
{
    enum { LITTLE = 16 }; /* an overlap below a 16th is due to times that are rounded or late */
    const struct latency_sample *s = &l->samples[i];
    struct latency_stretch new = {s->start, s->end, s->weight > 0 ? s->end - s->start : 0, i};
    while (l->nstretches > 0) {
        const struct latency_stretch *last = &l->stretches[l->nstretches - 1];
        uint64_t length = new.end - new.start;
        if (new.start >= last->end)
            break;
        if (!s->is_sum || last->end - new.start <= length / LITTLE) {
            new.start = last->end;
            break;
        }
        length = num_add(length, last->end - last->start);
        new.start = new.end > length ? new.end - length : 0;
        new.running = num_add(new.running, last->running);
        new.first = last->first;
        l->nstretches--;
    }
    MEM_ADD(l->stretches, l->nstretches, l->stretches_cap, new);
}

static void
add_edge(struct latency *l, uint64_t time, double change)
{
    MEM_ADD(l->edges, l->nedges, l->edges_cap, (struct latency_edge){time, change});
}

/* Set the times of a thread's samples to those of its stretches. `end` is the index after its last
 * sample. */
static void
end_thread(struct latency *l, size_t end)
{
    for (size_t i = l->nstretches; i-- > 0;) {
        struct latency_stretch *t = &l->stretches[i];
        if (t->start >= t->end) /* several samples at one moment: all but the first */
            t->start = t->end - (t->end > 0);
        for (size_t j = t->first; j < end; j++) {
            l->samples[j].start = t->start;
            l->samples[j].end = t->end;
        }
        end = t->first;
        double length = (double)(t->end - t->start), part = (double)t->running / length;
        if (t->running == 0 || t->end == t->start)
            continue;
        add_edge(l, t->start, part < 1 ? part : 1);
        add_edge(l, t->end, part < 1 ? -part : -1);
    }
    l->nstretches = 0;
}

static int
by_time(const void *a, const void *b)
{
    const struct latency_edge *x = a, *y = b;
    return x->time != y->time ? compare_numbers(x->time, y->time)
                              : by_value(&x->change, &y->change);
}

/* Sort the edges, and set `change` of each to the integral of 1 / threads up to its time. While any
 * thread runs, that is at least one thread, so a part of a thread counts as one, too. */
static void
sweep(struct latency *l)
{
    double threads = 0, integral = 0;
    size_t open = 0;   /* open stretches: exact, unlike a sum of parts */
    if (l->nedges > 0) /* qsort needs an array even for no elements */
        qsort(l->edges, l->nedges, sizeof *l->edges, by_time);
    for (size_t i = 0; i < l->nedges; i++) {
        struct latency_edge *e = &l->edges[i];
        double change = e->change;
        if (open > 0)
            integral += (double)(e->time - e[-1].time) / (threads > 1 ? threads : 1);
        e->change = integral;
        open = change > 0 ? open + 1 : open - 1;
        threads = open > 0 ? threads + change : 0;
    }
}

/* Return the integral up to a time. */
static double
integral_at(const struct latency *l, uint64_t time)
{
    size_t low = 0, high = l->nedges;
    if (high == 0)
        return 0;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (l->edges[mid].time <= time)
            low = mid;
        else
            high = mid;
    }
    return l->edges[low].change;
}

/* Return the count of each stack. */
static double *
count_stacks(const struct latency *l)
{
    double *counts = mem_alloc((l->stacks.count + 1) * sizeof *counts);
    for (size_t i = 0; i < l->stacks.count; i++)
        counts[i] = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct latency_sample *s = &l->samples[i];
        if (s->weight == 0)
            continue;
        double counted = integral_at(l, s->end) - integral_at(l, s->start), share = 1;
        if (counted > 0) /* otherwise, the sample's length is unknown, and it counts in full */
            share = counted / (double)(s->end - s->start);
        counts[s->stack] += (double)s->weight * share;
    }
    return counts;
}

/* Pass the stacks on. To distribute rounding, each count is the rounded sum up to this stack minus
 * the counts before it. */
static void
pass(const struct latency *l, const struct profile *names, const double *counts, latency_take *take,
     void *ctx)
{
    uint32_t *order = profile_order(names, l->stacks.texts, l->stacks.count), *stack = NULL;
    uint64_t passed = 0;
    size_t cap = 0;
    double sum = 0;
    for (size_t i = 0; i < l->stacks.count; i++) {
        struct span bytes = intern_text(&l->stacks, order[i]);
        sum += counts[order[i]];
        uint64_t rounded = sum < 0x1p63 ? (uint64_t)(sum + 0.5) : UINT64_MAX;
        if (rounded == passed)
            continue;
        stack = mem_grow(stack, &cap, bytes.len, 1);
        memcpy(stack, bytes.ptr, bytes.len); /* the bytes may be unaligned */
        take(ctx, stack, bytes.len / sizeof *stack, (struct decimal){rounded - passed, 0});
        passed = rounded;
    }
    free(stack);
    free(order);
}

void
latency_finish(struct latency *l, const struct profile *names, latency_take *take, void *ctx)
{
    if (l->n == 0)
        return;
    qsort(l->samples, l->n, sizeof *l->samples, by_thread);
    time_periods(l);
    for (size_t i = 0; i < l->n; i++) {
        add_stretch(l, i);
        if (i + 1 == l->n || l->samples[i + 1].thread != l->samples[i].thread)
            end_thread(l, i + 1);
    }
    sweep(l);
    double *counts = count_stacks(l);
    pass(l, names, counts, take, ctx);
    free(counts);
    intern_free(&l->stacks);
    l->n = l->nedges = 0;
}

void
latency_report(const struct latency *l, struct diag *diag)
{
    if (l->no_time > 0)
        diag_error(diag, NOWHERE,
                   "samples without a time: %s, left out (perf-script -F +time perf.data prints "
                   "it)",
                   NUM_TEXT(l->no_time));
    if (l->no_thread > 0)
        diag_error(diag, NOWHERE,
                   "samples without a thread id: %s, left out (perf-script -F +tid perf.data "
                   "prints it)",
                   NUM_TEXT(l->no_thread));
    if (l->waiting > 0)
        diag_note(diag, "samples of threads that wait or of idle CPUs: %s, which count nothing",
                  NUM_TEXT(l->waiting));
}

void
latency_free(struct latency *l)
{
    free(l->samples);
    intern_free(&l->stacks);
    free(l->stretches);
    free(l->edges);
}

#include "cmd/stackreport/calls.h"

#include <stdlib.h>

#include "common/base/columns.h"
#include "common/base/num.h"
#include "common/base/utf8.h"
#include "common/stack/text/syscalltext.h"

struct call_thread {
    int64_t pid, tid;
    uint32_t comm; /* command of its last sample */
    struct call_sum sum;
};

struct call_row {
    uint32_t thread, name;
    struct call_sum sum;
};

bool
calls_wants(const struct perf_header *h)
{
    return span_eq(h->field[PERF_EVENT], SPAN("syscall"));
}

static void
add(struct call_sum *s, uint64_t ns, bool failed)
{
    s->count++;
    s->failed += failed;
    s->ns = num_add(s->ns, ns);
    s->longest = ns > s->longest ? ns : s->longest;
}

/* Return the number of the sample's thread. */
static uint32_t
thread_of(struct calls *c, const struct perf_header *h)
{
    int64_t key[2] = {perf_header_has(h, PERF_PID) ? h->pid : h->tid, h->tid};
    uint32_t number;
    if (intern_put(&c->threads, SPAN_BYTES(key), &number))
        VEC_ADD(c->of_thread, (struct call_thread){.pid = key[0], .tid = key[1]});
    c->of_thread.at[number].comm = intern_add(&c->comms, h->field[PERF_COMM]);
    return number;
}

void
calls_add(struct calls *c, const struct perf_header *h)
{
    struct syscalltext call;
    if (!perf_header_has(h, PERF_TID) || !perf_header_has(h, PERF_PERIOD) ||
        !syscalltext_parse(span_trim(h->field[PERF_REST]), &call)) {
        c->incomplete++;
        return;
    }
    uint32_t key[2] = {thread_of(c, h), intern_add(&c->names, call.name)}, number;
    if (intern_put(&c->pairs, SPAN_BYTES(key), &number))
        VEC_ADD(c->of_call, (struct call_row){.thread = key[0], .name = key[1]});
    add(&c->of_call.at[number].sum, h->period, call.failed);
    add(&c->of_thread.at[key[0]].sum, h->period, call.failed);
    add(&c->all, h->period, call.failed);
}

/* Sort keys of a row: first those of its table, then its own. */
struct place {
    uint64_t thread_ns, ns;
    uint32_t thread, number; /* `number` is that of the row */
};

static int
longest_first(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->thread_ns != y->thread_ns)
        return (x->thread_ns < y->thread_ns) - (x->thread_ns > y->thread_ns);
    if (x->thread != y->thread)
        return (x->thread > y->thread) - (x->thread < y->thread);
    if (x->ns != y->ns)
        return (x->ns < y->ns) - (x->ns > y->ns);
    return (x->number > y->number) - (x->number < y->number);
}

static double
share(const struct calls *c, uint64_t ns)
{
    return c->all.ns > 0 ? 100.0 * (double)ns / (double)c->all.ns : 0;
}

/* Write a name from the input. */
static void
put_name(struct out *o, struct span name)
{
    struct text masked = {0};
    text_add(&masked, name);
    utf8_mask(masked.ptr, masked.len);
    out_span(o, text_span(&masked));
    free(masked.ptr);
}

/* Write "node/4242: 1,234 calls, 12 errors, 5123.120 ms, 61.2 %", and the titles. */
static void
put_thread(const struct calls *c, struct out *o, const struct call_thread *t)
{
    put_name(o, intern_text(&c->comms, t->comm));
    if (t->pid != t->tid)
        out_format(o, "/%lld", (long long)t->pid);
    out_format(o, "/%lld: %s call%s, %s error%s, %.3f ms, %.1f %%\n\n", (long long)t->tid,
               NUM_TEXT(t->sum.count), t->sum.count == 1 ? "" : "s", NUM_TEXT(t->sum.failed),
               t->sum.failed == 1 ? "" : "s", (double)t->sum.ns / 1e6, share(c, t->sum.ns));
    out_text(o, "       calls    errors      total ms    average ms    largest ms   share  call\n");
}

static void
put_row(const struct calls *c, struct out *o, const struct call_row *row)
{
    const struct call_sum *s = &row->sum;
    out_format(o, "%12s%10s%14.3f%14.6f%14.3f%6.1f %%  ", NUM_TEXT(s->count), NUM_TEXT(s->failed),
               (double)s->ns / 1e6, (double)s->ns / 1e6 / (double)s->count,
               (double)s->longest / 1e6, share(c, s->ns));
    put_name(o, intern_text(&c->names, row->name));
    out_char(o, '\n');
}

void
calls_write(const struct calls *c, struct out *o, size_t top)
{
    size_t n = c->of_call.n, of_thread = 0;
    struct place *places = mem_alloc((n + 1) * sizeof *places);
    for (uint32_t i = 0; i < n; i++) {
        const struct call_row *row = &c->of_call.at[i];
        places[i] =
            (struct place){c->of_thread.at[row->thread].sum.ns, row->sum.ns, row->thread, i};
    }
    qsort(places, n, sizeof *places, longest_first);
    for (size_t i = 0; i < n; i++) {
        bool first = i == 0 || places[i].thread != places[i - 1].thread;
        of_thread = first ? 0 : of_thread + 1;
        if (first && i > 0)
            out_char(o, '\n');
        if (first)
            put_thread(c, o, &c->of_thread.at[places[i].thread]);
        if (top == 0 || of_thread < top)
            put_row(c, o, &c->of_call.at[places[i].number]);
    }
    free(places);
}

void
calls_free(struct calls *c)
{
    intern_free(&c->names);
    intern_free(&c->comms);
    intern_free(&c->threads);
    intern_free(&c->pairs);
    free(c->of_thread.at);
    free(c->of_call.at);
}

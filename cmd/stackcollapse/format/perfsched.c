/* Time off CPU, of perf's text with the scheduler's tracepoints ("perf record -a -g -e
 * sched:sched_switch"; include/trace/events/sched.h in the Linux source):
 *
 *     app 12/14 [001] 99.5: sched:sched_switch: prev_comm=app prev_pid=14 prev_prio=120
 *          prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
 *             ffffffff821f5618 __schedule ([kernel.kallsyms])
 *                         1178 work (/home/user/app/app)
 *
 *     irq 7/7 [001] 99.7: sched:sched_waking: comm=app pid=14 prio=120 target_cpu=001
 *     irq 7/7 [001] 99.7: sched:sched_stat_sleep: comm=app pid=14 delay=200000000 [ns]
 *
 * each header on one line. perf's plugins print "app:14 [120] S ==> swapper/1:0 [120]". */
#include <stdlib.h>

#include "cmd/stackcollapse/build/dialect.h"
#include "common/base/num.h"
#include "common/stack/fold.h"
#include "common/stack/perftext.h"

struct thread {
    uint32_t *frames; /* where it was switched out last, root first, then what woke it */
    size_t n, cap;
    struct decimal since, woken_at;
    bool waits;
    bool woken; /* since then; the frames are complete */
};

struct state {
    struct collapse *c;
    struct perftext *text;
    struct fold fold;
    struct intern pids;
    struct thread *threads; /* by number of the pid */
    size_t nthreads, threads_cap;
    uint64_t others;    /* samples of other events */
    uint64_t unended;   /* waits */
    uint64_t unstarted; /* ends of waits */
};

enum event { SWITCH, WAKING, STAT, OTHER };

static enum event
event_of(struct span name)
{
    if (span_eq(name, SPAN("sched:sched_switch")))
        return SWITCH;
    if (span_eq(name, SPAN("sched:sched_waking")) || span_eq(name, SPAN("sched:sched_wakeup")))
        return WAKING;
    if (span_eq(name, SPAN("sched:sched_stat_sleep")) ||
        span_eq(name, SPAN("sched:sched_stat_blocked")))
        return STAT;
    return OTHER;
}

static bool
accept(void *ctx, const struct perf_header *h)
{
    struct state *st = ctx;
    bool wanted = event_of(h->field[PERF_EVENT]) != OTHER;
    st->others += !wanted;
    st->c->samples++;
    return wanted;
}

/* The digits after the last occurrence of the text; empty if there are none. */
static struct span
digits_after(struct span text, struct span before)
{
    size_t at = span_rsearch(text, before);
    struct span rest = at != SPAN_NONE ? span_from(text, at + before.len) : SPAN("");
    return span_head(rest, span_run(rest, 0, is_digit));
}

/* The thread's number in "prev_comm=app prev_pid=14 prev_prio=120" or "app:14 [120]": the last one,
 * since the name may be any text. */
static struct span
pid_in(struct span text, struct span key)
{
    struct span pid = digits_after(text, key);
    if (pid.len > 0)
        return pid;
    size_t bracket = span_search(text, SPAN(" ["));
    return bracket != SPAN_NONE ? digits_after(span_head(text, bracket), SPAN(":")) : pid;
}

/* NULL for the idle thread of a CPU, "0", and where there is no number. */
static struct thread *
thread(struct state *st, struct span pid)
{
    if (pid.len == 0 || span_eq(pid, SPAN("0")))
        return NULL;
    uint32_t number = intern_add(&st->pids, pid);
    st->threads = mem_grow(st->threads, &st->threads_cap, (size_t)number + 1, sizeof *st->threads);
    while (st->nthreads <= number)
        st->threads[st->nthreads++] = (struct thread){0};
    return &st->threads[number];
}

static void
add_frames(struct thread *t, const uint32_t *frames, size_t n)
{
    t->frames = mem_grow(t->frames, &t->cap, t->n + n, sizeof *t->frames);
    for (size_t i = 0; i < n; i++)
        t->frames[t->n++] = frames[i];
}

static void
begin_wait(struct state *st, struct thread *t, const struct sample *s, struct decimal now)
{
    st->unended += t->waits;
    fold_stack(&st->fold, s);
    t->n = 0;
    add_frames(t, st->fold.stack, st->fold.nstack);
    t->since = now;
    t->waits = true;
    t->woken = false;
}

/* Counts a wait of so many microseconds. */
static void
end_wait(struct state *st, struct thread *t, struct decimal time)
{
    t->waits = false;
    if (t->n == 0)
        st->c->without_frames++;
    else if (!decimal_is_zero(time))
        profile_add(&st->c->profile, t->frames, t->n, time, NULL);
}

/* Appends the stack of the thread that wakes t, which is in st->fold, leaf first; then with
 * --wakers=all what woke that thread, if it was while t waited. */
static void
add_waker(struct state *st, struct thread *t, struct thread *waker)
{
    enum { MOST = 1000 }; /* frames; the chain of two threads that wake each other has no end */
    const struct options *o = st->c->options;
    struct decimal earlier;
    for (size_t i = st->fold.nstack; i-- > 0;)
        add_frames(t, &st->fold.stack[i], 1);
    if (o->wakers != WAKERS_ALL || waker == NULL || waker == t || !waker->woken ||
        !decimal_subtract(waker->woken_at, t->since, &earlier) || decimal_is_zero(earlier))
        return;
    size_t skip = !o->fold.no_comm && waker->n > 0;
    if (t->n + waker->n - skip > MOST)
        return;
    uint32_t dash = profile_name(&st->c->profile, SPAN("-"));
    add_frames(t, &dash, 1);
    add_frames(t, waker->frames + skip, waker->n - skip);
}

/* Several events tell of one wakeup; the first one counts. */
static void
take_waking(struct state *st, struct thread *t, const struct sample *s, struct decimal now)
{
    struct span waker = s->header.field[PERF_TID];
    if (!t->waits || t->woken)
        return;
    if (st->c->options->wakers != WAKERS_NONE) {
        size_t number = (size_t)(t - st->threads);
        struct thread *w = thread(st, waker);
        t = &st->threads[number]; /* which may have moved */
        fold_stack(&st->fold, s);
        add_waker(st, t, w);
    }
    t->woken = true;
    t->woken_at = now;
}

/* "comm=app pid=14 delay=200000000 [ns]": how long the thread slept, as the kernel measured it. */
static void
take_stat(struct state *st, struct thread *t, struct span rest)
{
    struct decimal ns;
    if (!decimal_parse(digits_after(rest, SPAN("delay=")), &ns))
        input_skip(&st->c->input, "a sleep without its delay");
    else if (t->waits)
        end_wait(st, t, decimal_shift(ns, -3));
    else
        st->unstarted++;
}

/* A thread in this state never runs again: "prev_state=X" and "Z". */
static bool
is_dead(struct span prev)
{
    struct span text = span_trim(prev);
    return span_ends(text, SPAN("X")) || span_ends(text, SPAN("Z"));
}

static void
take_switch(struct state *st, const struct sample *s, struct decimal now)
{
    struct span rest = s->header.field[PERF_REST], arrow = SPAN(" ==> ");
    size_t at = span_search(rest, arrow);
    if (at == SPAN_NONE) {
        input_skip(&st->c->input,
                   "a switch that names no threads: have perf print the field trace (-F +trace)");
        return;
    }
    struct span prev = span_head(rest, at), next = span_from(rest, at + arrow.len);
    struct thread *t = thread(st, pid_in(next, SPAN("next_pid=")));
    struct decimal time;
    if (t != NULL && t->waits && decimal_subtract(now, t->since, &time))
        end_wait(st, t, decimal_shift(time, 6));
    t = thread(st, pid_in(prev, SPAN("prev_pid=")));
    if (t != NULL && !is_dead(prev))
        begin_wait(st, t, s, now);
}

static void
take_sample(struct state *st, const struct sample *s)
{
    struct decimal now;
    enum event event = event_of(s->header.field[PERF_EVENT]);
    struct span rest = s->header.field[PERF_REST];
    if (!decimal_parse(s->header.field[PERF_TIME], &now)) {
        input_skip(&st->c->input,
                   "a sample without its time: have perf print the field time (-F +time)");
        return;
    }
    if (event == SWITCH) {
        take_switch(st, s, now);
        return;
    }
    struct span pid = pid_in(rest, SPAN(" pid="));
    struct thread *t = thread(st, pid);
    if (t == NULL)
        return;
    take_waking(st, t, s, now);
    if (event == STAT)
        take_stat(st, thread(st, pid), rest);
}

static struct state *
state_new(struct collapse *c)
{
    struct state *st = mem_alloc(sizeof *st);
    *st = (struct state){.c = c, .text = mem_alloc(sizeof *st->text)};
    perftext_init(st->text, &perf_rules, &c->input.lines);
    fold_init(&st->fold, &c->options->fold, &st->text->frames, &c->profile);
    st->text->source.accept = accept;
    st->text->source.ctx = st;
    return st;
}

static void
fold(struct collapse *c, void **state)
{
    struct state *st = *state = *state != NULL ? *state : state_new(c);
    struct source *source = &st->text->source;
    for (enum source_item item; (item = source_next(source)) != ITEM_END;) {
        if (item == ITEM_SAMPLE)
            take_sample(st, &source->sample);
        else if (item == ITEM_SKIPPED || item == ITEM_STRAY)
            input_skip(&c->input, source->why);
    }
    input_warn_cut(&c->input);
}

/* Times of another file have nothing to do with those of this one. */
static void
finish(void *state)
{
    struct state *st = state;
    for (size_t i = 0; i < st->nthreads; i++) {
        st->unended += st->threads[i].waits;
        st->threads[i].waits = st->threads[i].woken = false;
    }
}

static void
note(const struct state *st, uint64_t n, const char *what)
{
    char digits[NUM_COMMAS];
    if (n > 0)
        diag_note(st->c->diag, "%.*s %s", SPAN_ARG(num_commas(digits, n)), what);
}

static void
report(const struct state *st)
{
    note(st, st->others, "samples are of events that say nothing of waits, and are left out");
    note(st, st->unended, "waits have no end in the recording, and are left out");
    note(st, st->fold.no_pid, "samples print no process number, shown as '?'");
    note(st, st->unstarted, "waits have no beginning in the recording, and are left out");
}

static void
end(void *state)
{
    struct state *st = state;
    report(st);
    for (size_t i = 0; i < st->nthreads; i++)
        free(st->threads[i].frames);
    free(st->threads);
    intern_free(&st->pids);
    fold_free(&st->fold);
    perftext_free(st->text);
    free(st->text);
    free(st);
}

/* It is perf's text, which says more than waits: only --from asks for it. */
const struct format format_perf_sched = {.fold = fold, .finish = finish, .end = end};

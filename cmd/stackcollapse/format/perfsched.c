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

#include "cmd/stackcollapse/shared/perfreader.h"

struct sched_thread {
    struct u32vec frames; /* where it was last switched out, root first; then what woke it */
    struct decimal since, woken_at;
    bool waits;
    bool woken; /* it was woken since then; `frames` is complete */
};

struct perf_sched {
    struct perfreader perf;
    struct intern ids;                /* ids of threads */
    VEC(struct sched_thread) threads; /* indexed by number of the id */
    uint64_t others;                  /* number of samples of other events */
    uint64_t unended;                 /* number of waits without an end */
    uint64_t unstarted;               /* number of ends without a wait */
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
    struct perf_sched *st = ctx;
    bool wanted = event_of(h->field[PERF_EVENT]) != OTHER;
    st->others += !wanted;
    st->perf.base.c->samples++;
    return wanted;
}

/* Return the digits after the last occurrence of `before`; empty if there are none. */
static struct span
digits_after(struct span text, struct span before)
{
    size_t at = span_rsearch(text, before);
    struct span rest = at != SPAN_NONE ? span_from(text, at + before.len) : SPAN("");
    return span_head(rest, span_run(rest, 0, is_digit));
}

/* Return the thread's id in "prev_comm=app prev_pid=14 prev_prio=120" or "app:14 [120]". Take the
 * last match, since the name may be any text. */
static struct span
pid_in(struct span text, struct span key)
{
    struct span pid = digits_after(text, key);
    if (pid.len > 0)
        return pid;
    size_t bracket = span_search(text, SPAN(" ["));
    return bracket != SPAN_NONE ? digits_after(span_head(text, bracket), SPAN(":")) : pid;
}

/* Return the thread, or NULL for the idle thread of a CPU, "0", and for a missing number. */
static struct sched_thread *
thread(struct perf_sched *st, struct span pid)
{
    if (pid.len == 0 || span_eq(pid, SPAN("0")))
        return NULL;
    uint32_t number = intern_add(&st->ids, pid);
    VEC_REACH(st->threads, (size_t)number + 1);
    return &st->threads.at[number];
}

static void
add_frames(struct sched_thread *t, const uint32_t *frames, size_t n)
{
    for (size_t i = 0; i < n; i++)
        VEC_ADD(t->frames, frames[i]);
}

static void
begin_wait(struct perf_sched *st, struct sched_thread *t, const struct sample *s,
           struct decimal now)
{
    st->unended += t->waits;
    fold_stack(&st->perf.fold, s);
    t->frames.n = 0;
    add_frames(t, st->perf.fold.stack, st->perf.fold.nstack);
    t->since = now;
    t->waits = true;
    t->woken = false;
}

/* Count a wait of `time` microseconds. */
static void
end_wait(struct perf_sched *st, struct sched_thread *t, struct decimal time)
{
    t->waits = false;
    if (t->frames.n == 0)
        st->perf.base.c->without_frames++;
    else if (!decimal_is_zero(time))
        profile_add(&st->perf.base.c->profile, t->frames.at, t->frames.n, time, NULL);
}

/* Append the stack of the thread that wakes t, which is in the fold. With --wakers=all, also append
 * what woke that thread, if that was during t's wait. */
static void
add_waker(struct perf_sched *st, struct sched_thread *t, struct sched_thread *waker)
{
    enum { MOST = 1000 }; /* frames; two threads that wake each other make an endless chain */
    const struct options *o = st->perf.base.c->options;
    struct decimal earlier;
    for (size_t i = st->perf.fold.nstack; i-- > 0;)
        add_frames(t, &st->perf.fold.stack[i], 1);
    if (o->wakers != WAKERS_ALL || waker == NULL || waker == t || !waker->woken ||
        !decimal_subtract(waker->woken_at, t->since, &earlier) || decimal_is_zero(earlier))
        return;
    size_t skip = !o->fold.no_comm && waker->frames.n > 0;
    if (t->frames.n + waker->frames.n - skip > MOST)
        return;
    uint32_t dash = profile_name(&st->perf.base.c->profile, SPAN("-"));
    add_frames(t, &dash, 1);
    add_frames(t, waker->frames.at + skip, waker->frames.n - skip);
}

/* Handle a wakeup of t. Several events report the same one; the first counts. */
static void
take_waking(struct perf_sched *st, struct sched_thread *t, const struct sample *s,
            struct decimal now)
{
    struct span waker = s->header.field[PERF_TID];
    if (!t->waits || t->woken)
        return;
    if (st->perf.base.c->options->wakers != WAKERS_NONE) {
        size_t number = (size_t)(t - st->threads.at);
        struct sched_thread *w = thread(st, waker);
        t = &st->threads.at[number]; /* the array may have moved */
        fold_stack(&st->perf.fold, s);
        add_waker(st, t, w);
    }
    t->woken = true;
    t->woken_at = now;
}

/* Take "comm=app pid=14 delay=200000000 [ns]": how long the thread slept, as measured by the
 * kernel. */
static void
take_stat(struct perf_sched *st, struct sched_thread *t, struct span rest)
{
    struct decimal ns;
    if (!decimal_parse(digits_after(rest, SPAN("delay=")), &ns))
        stacker_skip(&st->perf.base, "a sleep without its delay");
    else if (t->waits)
        end_wait(st, t, decimal_shift(ns, -3));
    else
        st->unstarted++;
}

static void
take_switch(struct perf_sched *st, const struct sample *s, struct decimal now)
{
    struct span rest = s->header.field[PERF_REST], arrow = SPAN(" ==> ");
    size_t at = span_search(rest, arrow);
    if (at == SPAN_NONE) {
        stacker_skip(&st->perf.base,
                     "a switch that names no threads: have perf print the field trace (-F +trace)");
        return;
    }
    struct span prev = span_head(rest, at), next = span_from(rest, at + arrow.len);
    struct sched_thread *t = thread(st, pid_in(next, SPAN("next_pid=")));
    struct decimal time;
    if (t != NULL && t->waits && decimal_subtract(now, t->since, &time))
        end_wait(st, t, decimal_shift(time, 6));
    t = thread(st, pid_in(prev, SPAN("prev_pid=")));
    struct span state = span_trim(prev); /* a thread in state X or Z has ended */
    if (t != NULL && !span_ends(state, SPAN("X")) && !span_ends(state, SPAN("Z")))
        begin_wait(st, t, s, now);
}

static void
take_sample(struct stacker *f, const struct sample *s)
{
    struct perf_sched *st = (struct perf_sched *)f;
    struct decimal now;
    enum event event = event_of(s->header.field[PERF_EVENT]);
    struct span rest = s->header.field[PERF_REST];
    if (!decimal_parse(s->header.field[PERF_TIME], &now)) {
        stacker_skip(&st->perf.base,
                     "a sample without its time: have perf print the field time (-F +time)");
        return;
    }
    if (event == SWITCH) {
        take_switch(st, s, now);
        return;
    }
    struct span pid = pid_in(rest, SPAN(" pid="));
    struct sched_thread *t = thread(st, pid);
    if (t == NULL)
        return;
    take_waking(st, t, s, now);
    if (event == STAT)
        take_stat(st, thread(st, pid), rest);
}

/* End the waits of a file: its times are unrelated to those of the next one. */
static void
finish(struct stacker *f)
{
    struct perf_sched *st = (struct perf_sched *)f;
    for (size_t i = 0; i < st->threads.n; i++) {
        st->unended += st->threads.at[i].waits;
        st->threads.at[i].waits = st->threads.at[i].woken = false;
    }
}

static void
end(struct stacker *f)
{
    struct perf_sched *st = (struct perf_sched *)f;
    stacker_note(f, st->others,
                 "samples are of events that say nothing of waits, and are left out");
    stacker_note(f, st->unended, "waits have no end in the recording, and are left out");
    stacker_note(f, st->perf.fold.no_pid, "samples print no process number, shown as '?'");
    stacker_note(f, st->unstarted, "waits have no beginning in the recording, and are left out");
    for (size_t i = 0; i < st->threads.n; i++)
        free(st->threads.at[i].frames.at);
    free(st->threads.at);
    intern_free(&st->ids);
}

/* It looks like any perf text, so only --from selects it. */
const struct format format_perf_sched = {.state_size = sizeof(struct perf_sched),
                                         .sample = take_sample,
                                         .accept = accept,
                                         .finish = finish,
                                         .end = end};

#include "cmd/stackreport/stalls.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/model/turns.h"

/* Maximum number of threads whose latest samples are kept until their turn ends. The recorder
 * writes the samples of a turn without others in between, so one thread would be enough. */
enum { THREADS_MAX = 1024 };

/* The samples of a thread at one time. */
struct pending {
    uint64_t time;
    struct turn turn;
};

bool
stalls_is_turn(const struct perf_header *h)
{
    return span_eq(h->field[PERF_EVENT], SPAN("turn"));
}

bool
stalls_wants(const struct perf_header *h)
{
    return stalls_is_turn(h) || span_eq(h->field[PERF_EVENT], SPAN("wall"));
}

void
stalls_init(struct stalls *s, const struct stalls_options *options, struct diag *diag,
            const struct frametab *frames)
{
    *s = (struct stalls){.options = options, .diag = diag};
    turn_names_init(&s->names, frames);
}

static void
forget_threads(struct stalls *s)
{
    for (size_t i = 0; i < s->turns.n; i++)
        turn_free(&s->turns.at[i].turn);
    s->turns.n = 0;
    intern_empty(&s->threads);
}

/* Return the collected samples of the header's thread and time. */
static struct turn *
turn_of(struct stalls *s, const struct perf_header *h)
{
    int64_t key[] = {h->pid, h->tid};
    if (s->turns.n == THREADS_MAX)
        forget_threads(s);
    uint32_t number = intern_add(&s->threads, SPAN_BYTES(key));
    if (number == s->turns.n)
        VEC_ADD(s->turns, (struct pending){0});
    struct pending *p = &s->turns.at[number];
    if (p->time != h->time)
        turn_empty(&p->turn);
    p->time = h->time;
    return &p->turn;
}

static int
longest_first(const void *a, const void *b)
{
    const struct stall *x = a, *y = b;
    if (x->us != y->us)
        return (x->us < y->us) - (x->us > y->us);
    if (x->end != y->end)
        return (x->end > y->end) - (x->end < y->end);
    if (x->pid != y->pid)
        return (x->pid > y->pid) - (x->pid < y->pid);
    return (x->tid > y->tid) - (x->tid < y->tid);
}

void
stalls_finish(struct stalls *s)
{
    if (s->list.n > 0)
        qsort(s->list.at, s->list.n, sizeof *s->list.at, longest_first);
    for (; s->list.n > s->options->top; s->list.n--)
        free(s->list.at[s->list.n - 1].path.steps.at);
}

/* Keep a stall if it may be one of the longest. */
static void
keep(struct stalls *s, struct stall stall)
{
    VEC_ADD(s->list, stall);
    if (s->list.n / 2 >= s->options->top) /* sort only now and then */
        stalls_finish(s);
}

/* End a turn. A stopped thread waits, so subtract the time of stops from its waits. */
static void
end_turn(struct stalls *s, const struct perf_header *h)
{
    struct turn *t = turn_of(s, h);
    struct turn_end end = turn_end_parse(h->field[PERF_REST]);
    if (h->period >= s->options->least) {
        struct stall stall = {
            .end = h->time,
            .us = h->period,
            .gc = t->gc,
            .stopped = end.stopped,
            .going_on = end.goes_on,
            .pid = perf_header_has(h, PERF_PID) ? h->pid : h->tid,
            .tid = h->tid,
            .comm = intern_add(&s->comms, h->field[PERF_COMM]),
            .path = turn_explain(t, &s->names),
        };
        memcpy(stall.state, t->state, sizeof stall.state);
        uint64_t waiting = stall.state[TURN_WAITING];
        stall.state[TURN_WAITING] = waiting > stall.stopped ? waiting - stall.stopped : 0;
        s->count++;
        s->us = num_add(s->us, stall.us);
        if (s->options->each != NULL)
            s->options->each(s, &stall);
        keep(s, stall);
    }
    turn_empty(t);
}

static void
add_wall(struct stalls *s, const struct sample *sample)
{
    struct span state = span_trim(sample->header.field[PERF_REST]);
    turn_add(turn_of(s, &sample->header), &s->names, sample,
             span_eq(state, SPAN("waiting")) ? TURN_WAITING
             : span_eq(state, SPAN("ready")) ? TURN_READY
                                             : TURN_RUNNING);
}

/* Set the start of the recording to that of the first sample, unless it is known from the
 * header. */
static void
note_time(struct stalls *s, const struct perf_header *h)
{
    uint64_t us = h->period < UINT64_MAX / 1000 ? h->period : UINT64_MAX / 1000;
    if (!s->has_time && !s->clock.known)
        s->began = h->time > us * 1000 ? h->time - us * 1000 : 0;
    s->has_time = true;
}

void
stalls_add(struct stalls *s, const struct sample *sample)
{
    enum { NEEDED = 1 << PERF_TID | 1 << PERF_TIME | 1 << PERF_PERIOD };
    const struct perf_header *h = &sample->header;
    if ((h->has & NEEDED) != NEEDED) {
        s->incomplete++;
        return;
    }
    note_time(s, h);
    if (stalls_is_turn(h)) {
        s->ends++;
        end_turn(s, h);
    } else {
        s->walls++;
        add_wall(s, sample);
    }
}

void
stalls_comment(struct stalls *s, struct span comment)
{
    s->has_turns |= span_starts(comment, SPAN("# turns : "));
    if (!s->clock.known && wallclock_parse(&s->clock, comment))
        s->began = s->clock.monotonic;
}

void
stalls_free(struct stalls *s)
{
    for (size_t i = 0; i < s->list.n; i++)
        free(s->list.at[i].path.steps.at);
    free(s->list.at);
    forget_threads(s);
    intern_free(&s->threads);
    free(s->turns.at);
    intern_free(&s->comms);
    turn_names_free(&s->names);
}

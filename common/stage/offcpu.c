#include "common/stage/offcpu.h"

#include <stdlib.h>

#include "common/tracepoint/tracing.h"

enum {
    SECOND = 1000000000,
    MICROSECOND = 1000,
    MEMORY = 4 << 20, /* bytes of sums from which on they are passed on at once */
    SW_DUMMY = 9,     /* PERF_COUNT_SW_DUMMY: the kernel counts nothing */
};

/* prev_state's bits, and the letters for them: TASK_STATE_TO_CHAR_STR in include/linux/sched.h. */
static const char state_letters[] = "SDTtXZPI";

/* Return the letter of the state in the payload; 0 if it is not known. A thread that could have run
 * on has none of the bits. */
static char
state_of(const struct offcpu *o, struct span raw)
{
    uint64_t state;
    if (o->state_size == 0 || raw.len < o->state_size || o->state_offset > raw.len - o->state_size)
        return 0;
    state = o->state_size == sizeof state ? load_u64(raw.ptr + o->state_offset)
                                          : load_u32(raw.ptr + o->state_offset);
    for (size_t i = 0; i < sizeof state_letters - 1; i++)
        if (state >> i & 1)
            return state_letters[i];
    return 'R';
}

static struct offcpu_thread *
thread_of(struct offcpu *o, uint32_t tid)
{
    uint32_t number;
    if (intern_put(&o->tids, span_of((const char *)&tid, sizeof tid), &number)) {
        o->threads = mem_grow(o->threads, &o->threads_cap, (size_t)number + 1, sizeof *o->threads);
        o->threads[number] = (struct offcpu_thread){.tid = tid};
    }
    return &o->threads[number];
}

/* A thread is switched out, and its stack is that of the sample. */
static void
switch_out(struct offcpu *o, const struct record *r)
{
    char state = state_of(o, r->sample.raw);
    if (r->tid == 0)
        return; /* the CPU was idle */
    struct offcpu_thread *t = thread_of(o, r->tid);
    t->waits = state != 'X' && state != 'Z'; /* else it has ended */
    if (!t->waits)
        return;
    struct words chain = r->sample.callchain;
    t->words = mem_grow(t->words, &t->cap, chain.count * sizeof(uint64_t), 1);
    if (chain.count > 0)
        memcpy(t->words, chain.ptr, chain.count * sizeof(uint64_t));
    t->since = r->time;
    t->pid = r->pid;
    t->state = state;
    t->place = (struct stack_place){r->sample.ip, {t->words, chain.count}, r->cpu, r->misc};
}

/* What a sum's thread does: its state, and whether it still waits. */
enum { STILL = 1 << 8 };

static void
describe(uint32_t what, struct text *buffer, struct record *sample)
{
    char state = (char)(what % STILL);
    text_add(buffer, SPAN("state "));
    text_add(buffer, span_of(state != 0 ? &state : "?", 1));
    if (what >= STILL)
        text_add(buffer, SPAN(", still waiting"));
    sample->sample.raw = text_span(buffer);
}

/* Pass all sums on, in the order in which the threads ran again, and forget them. */
static void
flush(struct offcpu *o)
{
    o->flushed = o->now;
    stacktime_pass(&o->sums, &o->session.events.events[0], o->next);
}

/* Add the thread's wait, which ends at `time`. */
static void
end_wait(struct offcpu *o, struct offcpu_thread *t, uint64_t time)
{
    uint64_t waited = time > t->since ? time - t->since : 0;
    if (!t->waits)
        return;
    t->waits = false;
    if (waited < o->least) {
        o->too_short++;
        return;
    }
    uint32_t what = (unsigned char)t->state + (o->ending ? STILL : 0U);
    stacktime_add(&o->sums, t->pid, t->tid, &t->place, what, waited, time);
    if (o->sums.bytes > MEMORY)
        flush(o);
}

/* Forget the threads that have ended. */
static void
remove_ended(struct offcpu *o)
{
    struct intern all = o->tids;
    uint32_t n;
    o->tids = (struct intern){0};
    for (uint32_t i = 0; i < all.count; i++) {
        if (!o->threads[i].waits && o->threads[i].words == NULL)
            continue;
        intern_put(&o->tids, intern_text(&all, i), &n);
        o->threads[n] = o->threads[i];
    }
    intern_free(&all);
    o->ended_threads = 0;
}

static void
end_thread(struct offcpu *o, uint32_t tid)
{
    enum { FEW = 4096 };
    struct offcpu_thread *t = thread_of(o, tid);
    free(t->words);
    *t = (struct offcpu_thread){.tid = tid};
    if (++o->ended_threads > FEW && o->ended_threads > o->tids.count / 2)
        remove_ended(o);
}

/* The record of a switch, after the sample for it. From the sample's time to this one the thread
 * still ran: the kernel was unwinding its stack. */
static void
take_switch(struct offcpu *o, const struct record *r)
{
    struct offcpu_thread *t = thread_of(o, r->tid);
    if ((r->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0)
        t->since = r->time;
    else
        end_wait(o, t, r->time);
}

/* The process whose names or maps the record changes; false if it is no such record. */
static bool
changes_process(const struct record *r, uint32_t *pid)
{
    switch (r->type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
        *pid = r->mmap.pid;
        return true;
    case PERF_RECORD_COMM:
        *pid = r->comm.pid;
        return true;
    case PERF_RECORD_EXIT:
        *pid = r->task.pid;
        return true;
    }
    return false;
}

static void
take(struct recordsink *s, const struct record *r)
{
    struct offcpu *o = (struct offcpu *)s; /* its first member */
    uint32_t pid;
    o->now = r->time > o->now ? r->time : o->now;
    if (r->type == PERF_RECORD_SAMPLE && r->event != NULL &&
        r->event->type == PERF_TYPE_TRACEPOINT && r->event->config == o->switch_event) {
        switch_out(o, r);
        return;
    }
    if (r->type == PERF_RECORD_SWITCH || r->type == PERF_RECORD_SWITCH_CPU_WIDE) {
        take_switch(o, r);
        return;
    }
    if (changes_process(r, &pid) && stacktime_has(&o->sums, pid))
        flush(o);
    if (r->type == PERF_RECORD_EXIT)
        end_thread(o, r->task.tid);
    o->next->record(o->next, r);
}

static void
end_round(struct recordsink *s)
{
    struct offcpu *o = (struct offcpu *)s;
    if (o->now - o->flushed >= SECOND)
        flush(o);
    o->next->round(o->next);
}

static void
finish(struct recordsink *s)
{
    struct offcpu *o = (struct offcpu *)s;
    flush(o);
    o->ending = true;
    for (size_t i = 0; i < o->tids.count; i++)
        end_wait(o, &o->threads[i], o->ended);
    flush(o);
    o->next->finish(o->next);
    stacktime_free(&o->sums);
}

/* Find where the payload of sched:sched_switch has the state. */
static const char *
read_format(struct offcpu *o, struct span bytes)
{
    struct tracing tracing = {0};
    const char *problem = tracing_read(&tracing, bytes);
    const struct event_format *f = tracing_find(&tracing, o->switch_event);
    const struct event_field *state = f != NULL ? eventformat_field(f, SPAN("prev_state")) : NULL;
    if (state != NULL && (state->size == 4 || state->size == 8)) {
        o->state_offset = state->offset;
        o->state_size = state->size;
    } else if (problem == NULL) {
        problem = "no field prev_state in the format of sched:sched_switch: "
                  "how threads waited is not known";
    }
    tracing_free(&tracing);
    return problem;
}

const char *
offcpu_init(struct offcpu *o, const struct session *session, struct recordsink *next,
            uint64_t least)
{
    struct event e = session->events.events[0];
    *o = (struct offcpu){
        .sink = {take, end_round, finish},
        .next = next,
        .sums.describe = describe,
        .least = least > UINT64_MAX / MICROSECOND ? UINT64_MAX : least * MICROSECOND,
        .switch_event = e.config,
    };
    e.name = SPAN("off-cpu");
    e.type = PERF_TYPE_SOFTWARE;
    e.config = SW_DUMMY;
    e.raw_is_text = true;
    eventset_add(&o->session.events, &e, &o->session.names);
    return read_format(o, session->tracing);
}

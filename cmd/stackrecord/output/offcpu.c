#include "cmd/stackrecord/output/offcpu.h"

#include <stdlib.h>

#include "common/base/num.h"
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
        o->threads[number] = (struct offcpu_thread){.out.tid = tid};
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
    t->out = (struct switch_out){
        .pid = r->pid,
        .tid = r->tid,
        .misc = r->misc,
        .state = state,
        .cpu = r->cpu,
        .ip = r->sample.ip,
        .chain = {t->words, chain.count},
    };
}

/* What a key begins with; the callchain follows. It has no padding, since keys are compared as
 * bytes. */
struct head {
    uint32_t pid, tid;
    uint32_t misc, state;
};

static struct head
head_of(struct span key)
{
    struct head head;
    memcpy(&head, key.ptr, sizeof head);
    return head;
}

/* Return the sum of the times that the thread was off CPU at that place. */
static struct offcpu_sum *
sum_of(struct offcpu *o, const struct switch_out *out)
{
    struct head head = {out->pid, out->tid, out->misc, (unsigned char)out->state};
    uint32_t number;
    o->key.len = 0;
    text_add(&o->key, span_of((const char *)&head, sizeof head));
    text_add(&o->key, span_of(out->chain.ptr, out->chain.count * sizeof(uint64_t)));
    if (intern_put(&o->keys, text_span(&o->key), &number)) {
        o->sums = mem_grow(o->sums, &o->sums_cap, (size_t)number + 1, sizeof *o->sums);
        o->sums[number] = (struct offcpu_sum){0};
        o->sums_bytes += o->key.len + sizeof *o->sums + sizeof *o->keys.texts;
    }
    return &o->sums[number];
}

/* Pass a sum on as a sample. */
static void
pass_sum(struct offcpu *o, uint32_t number)
{
    const struct offcpu_sum *sum = &o->sums[number];
    struct span key = intern_text(&o->keys, number);
    struct head head = head_of(key);
    struct span chain = span_from(key, sizeof head);
    const struct event *e = &o->session.events.events[0];
    char text[] = "state ?, still waiting";
    struct span whole = span_cstr(text), state = span_head(whole, strlen("state ?"));
    uint64_t period = sum->time / MICROSECOND + (sum->time % MICROSECOND >= MICROSECOND / 2);
    text[strlen("state ")] = head.state != 0 ? (char)head.state : '?';
    struct record r = {
        .type = PERF_RECORD_SAMPLE,
        .misc = (uint16_t)head.misc,
        .event = e,
        .bytes = SPAN(""),
        .has = e->sample_type,
        .time = sum->resumed,
        .pid = head.pid,
        .tid = head.tid,
        .cpu = sum->cpu,
        .sample =
            {
                .ip = sum->ip,
                .period = period > 0 ? period : 1,
                .callchain = {chain.ptr, chain.len / sizeof(uint64_t)},
                .raw = o->ending ? whole : state,
            },
    };
    o->next->record(o->next, &r);
}

struct place_in_time {
    uint64_t resumed;
    uint32_t number; /* of the key */
};

static int
earlier_first(const void *a, const void *b)
{
    const struct place_in_time *x = a, *y = b;
    if (x->resumed != y->resumed)
        return (x->resumed > y->resumed) - (x->resumed < y->resumed);
    return (x->number > y->number) - (x->number < y->number);
}

/* Pass all sums on, in the order in which the threads ran again, and forget them. */
static void
flush(struct offcpu *o)
{
    size_t n = o->keys.count;
    o->flushed = o->now;
    if (n == 0)
        return;
    struct place_in_time *places = mem_alloc(n * sizeof *places);
    for (uint32_t i = 0; i < n; i++)
        places[i] = (struct place_in_time){o->sums[i].resumed, i};
    qsort(places, n, sizeof *places, earlier_first);
    for (size_t i = 0; i < n; i++)
        pass_sum(o, places[i].number);
    free(places);
    intern_free(&o->keys);
    o->sums_bytes = 0;
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
    struct offcpu_sum *sum = sum_of(o, &t->out);
    sum->time = num_add(sum->time, waited);
    sum->resumed = time;
    sum->ip = t->out.ip;
    sum->cpu = t->out.cpu;
    if (o->sums_bytes > MEMORY)
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
    *t = (struct offcpu_thread){.out.tid = tid};
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

static bool
has_sums(const struct offcpu *o, uint32_t pid)
{
    bool found = false;
    for (uint32_t i = 0; i < o->keys.count && !found; i++)
        found = head_of(intern_text(&o->keys, i)).pid == pid;
    return found;
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
    if (changes_process(r, &pid) && has_sums(o, pid))
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

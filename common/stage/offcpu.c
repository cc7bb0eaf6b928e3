#include "common/stage/offcpu.h"

#include <stdlib.h>

#include "common/event/ownrecord.h"
#include "common/tracepoint/tracing.h"

struct offcpu_thread {
    uint32_t pid, named;      /* pid and tid, as in the samples */
    struct stack_place place; /* where it was last switched out; the chain is in `words` */
    uint64_t since;           /* when it was last switched out */
    char state;               /* as ps(1) shows it: S, D, R and so on; 0: unknown */
    bool waits;
    bool left;            /* the SWITCH record of its switch out has come */
    bool was_out, missed; /* see is_whole_machine() */
    char *words;
    size_t cap;
};

/* Letters for the bits of prev_state: TASK_STATE_TO_CHAR_STR in include/linux/sched.h. */
static const char state_letters[] = "SDTtXZPI";

/* Read a field of the payload. Return false if the payload does not have it. */
static bool
read_field(struct offcpu_field f, struct span raw, uint64_t *value)
{
    if (f.size == 0 || raw.len < f.size || f.offset > raw.len - f.size)
        return false;
    *value = f.size == sizeof *value ? load_u64(raw.ptr + f.offset) : load_u32(raw.ptr + f.offset);
    return true;
}

/* Return the letter of the state in the payload; 0 if unknown. A thread that could have continued
 * to run has none of the bits. */
static char
state_of(const struct offcpu *o, struct span raw)
{
    uint64_t state;
    if (!read_field(o->state, raw, &state))
        return 0;
    for (size_t i = 0; i < sizeof state_letters - 1; i++)
        if (state >> i & 1)
            return state_letters[i];
    return 'R';
}

static struct offcpu_thread *
thread_of(struct offcpu *o, uint32_t tid)
{
    return threadtable_add(&o->threads, tid);
}

/* Note that a thread is switched out with the stack of the sample. */
static void
switch_out(struct offcpu *o, const struct record *r, uint32_t tid)
{
    char state = state_of(o, r->sample.raw);
    if (tid == 0 || r->tid == 0 || r->tid == UINT32_MAX)
        return; /* the CPU was idle, or the thread is outside perf's namespace, or has ended */
    struct offcpu_thread *t = thread_of(o, tid);
    o->endless += t->waits;
    t->left = false;
    t->waits = state != 'X' && state != 'Z'; /* else it has ended */
    if (!t->waits)
        return;
    struct words chain = r->sample.callchain;
    t->words = mem_grow(t->words, &t->cap, chain.count * sizeof(uint64_t), 1);
    if (chain.count > 0)
        memcpy(t->words, chain.ptr, chain.count * sizeof(uint64_t));
    t->since = r->time;
    t->pid = r->pid;
    t->named = r->tid;
    t->state = state;
    t->place = stacktime_place(&o->sums, r);
    t->place.chain.ptr = t->words;
}

/* The activity of a sum: the state, plus STILL if the thread still waits. */
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

/* Return true if, as far as is known now, all threads were recorded, and not only some (perf record
 * -p). The switches of the idle thread are only in recordings of the whole machine. If no CPU was
 * ever idle, allow some threads to be switched in but never recorded as switched out: records may
 * be lost, and some systems hide the threads of a supervisor from perf. */
static bool
is_whole_machine(const struct offcpu *o)
{
    return o->idled || (!o->idle_missed && o->missed <= o->seen);
}

/* Pass all sums on in the order in which the threads ran again, and forget them. */
static void
flush(struct offcpu *o)
{
    enum { ENOUGH = 8 };
    o->refused |= o->seen + o->missed >= ENOUGH && !is_whole_machine(o);
    if (o->refused)
        stacktime_free(&o->sums);
    else
        stacktime_pass(&o->sums, &o->session.events.events[0], o->sink.next);
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
    stacktime_add(&o->sums, t->pid, t->named, &t->place, what, waited, time);
    if (o->sums.bytes > STACKTIME_MUCH)
        flush(o);
}

static bool
has_stack(void *ctx, const void *thread)
{
    const struct offcpu_thread *t = thread;
    (void)ctx;
    return t->waits || t->words != NULL;
}

static void
end_thread(struct offcpu *o, uint32_t tid)
{
    struct offcpu_thread *t = thread_of(o, tid);
    free(t->words);
    *t = (struct offcpu_thread){0};
    o->threads.ended++;
    threadtable_sweep(&o->threads, has_stack, NULL);
}

/* Process the record of a switch, which comes after the sample of the switch. Between the two the
 * thread still ran: the kernel was unwinding its stack. */
static void
take_switch(struct offcpu *o, const struct record *r)
{
    struct offcpu_thread *t = thread_of(o, r->tid);
    if ((r->misc & PERF_RECORD_MISC_SWITCH_OUT) == 0) {
        end_wait(o, t, r->time);
        return;
    }
    o->endless += t->waits && t->left; /* this wait has no sample either */
    t->waits &= !t->left;
    t->left = true;
    t->since = r->time;
    if (t->state == 0 && (r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0)
        t->state = 'R';
}

/* Note that thread `prev` is switched out of a CPU whose last switch was to thread `last`. */
static void
note_order(struct offcpu *o, uint32_t last, uint32_t prev)
{
    struct offcpu_thread *t = thread_of(o, last);
    if (last != prev && !t->was_out && !t->missed) {
        t->missed = true;
        o->missed++;
        o->idle_missed |= last == 0;
    }
    t = thread_of(o, prev);
    o->seen += !t->was_out;
    o->missed -= t->missed;
    t->was_out = true;
    t->missed = false;
    o->idled |= prev == 0;
}

/* Process the sample of a switch. In a container its ids differ from those in the payload. */
static void
take_sample(struct offcpu *o, const struct record *r)
{
    uint64_t prev = r->tid, next;
    uint32_t cpu;
    if (!o->has_switches && read_field(o->next_tid, r->sample.raw, &next)) {
        read_field(o->prev, r->sample.raw, &prev);
        bool first = intern_put(&o->cpus, SPAN_BYTES(r->cpu), &cpu);
        if (first)
            VEC_ADD(o->running, 0);
        note_order(o, first ? (uint32_t)prev : o->running.at[cpu], (uint32_t)prev);
        o->running.at[cpu] = (uint32_t)next;
        end_wait(o, thread_of(o, (uint32_t)next), r->time);
    }
    switch_out(o, r, (uint32_t)prev);
}

bool
offcpu_takes(const struct offcpu *o, const struct record *r)
{
    return r->type == PERF_RECORD_SAMPLE && r->event != NULL && r->event->type == o->source.type &&
           r->event->config == o->source.config;
}

static void
take(struct recordsink *s, const struct record *r)
{
    struct offcpu *o = (struct offcpu *)s; /* its first member */
    struct ownrecord own;
    if (r->time / STACKTIME_SECOND > o->now / STACKTIME_SECOND)
        flush(o);
    o->now = r->time > o->now ? r->time : o->now;
    if (offcpu_takes(o, r)) {
        take_sample(o, r);
        return;
    }
    if (r->type == PERF_RECORD_SWITCH || r->type == PERF_RECORD_SWITCH_CPU_WIDE) {
        take_switch(o, r);
        return;
    }
    if (stacktime_see(&o->sums, r))
        flush(o);
    if (r->type == PERF_RECORD_EXIT)
        end_thread(o, r->task.tid);
    if (ownrecord_read(r, &own) && own.what == OWN_ENDED)
        o->ended = r->time;
    o->sink.next->record(o->sink.next, r);
}

static void
finish(struct recordsink *s)
{
    struct offcpu *o = (struct offcpu *)s;
    o->refused |= !is_whole_machine(o);
    flush(o);
    o->ending = true;
    for (size_t i = 0; i < threadtable_count(&o->threads); i++)
        end_wait(o, threadtable_at(&o->threads, i), o->ended > 0 ? o->ended : o->now);
    flush(o);
    sink_finish(o->sink.next);
    stacktime_free(&o->sums);
}

static struct offcpu_field
field_of(const struct event_format *f, struct span name)
{
    const struct event_field *field = f != NULL ? eventformat_field(f, name) : NULL;
    if (field == NULL || (field->size != 4 && field->size != 8))
        return (struct offcpu_field){0};
    return (struct offcpu_field){field->offset, field->size};
}

static bool
is_sched_switch(const struct event *e, const struct tracing *tracing)
{
    const struct event_format *f = tracing_find(tracing, e->config);
    return e->type == PERF_TYPE_TRACEPOINT &&
           span_eq(f != NULL ? f->name : e->name,
                   f != NULL ? SPAN("sched_switch") : SPAN("sched:sched_switch"));
}

/* Return the event whose samples are consumed, or NULL. */
static const struct event *
find_source(const struct eventset *set, const struct tracing *tracing)
{
    const struct event *found = NULL;
    for (size_t i = 0; i < set->count; i++) {
        const struct event *e = &set->events[i];
        if (is_sched_switch(e, tracing))
            return e;
        if (found == NULL && e->type == PERF_TYPE_SOFTWARE &&
            e->config == PERF_COUNT_SW_CONTEXT_SWITCHES)
            found = e;
    }
    return found;
}

/* Return true if each switch has a sample with its thread and time, and the recording says when the
 * thread runs again. */
static bool
can_be_used(const struct offcpu *o, const struct event *e)
{
    enum { NEEDED = PERF_SAMPLE_TID | PERF_SAMPLE_TIME };
    return e != NULL && (e->sample_type & NEEDED) == NEEDED && e->period <= 1 &&
           !event_flag(e, FLAG_FREQ) &&
           (o->has_switches || (o->next_tid.size > 0 && (e->sample_type & PERF_SAMPLE_CPU) != 0));
}

const char *
offcpu_init(struct offcpu *o, const struct session *session, struct recordsink *next,
            uint64_t least)
{
    enum {
        KEPT = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
        STACK = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN
    };
    struct tracing tracing = {0};
    const struct eventset *set = &session->events;
    const char *problem =
        session->tracing.len > 0 ? tracing_read(&tracing, session->tracing) : NULL;
    const struct event *source = find_source(set, &tracing);
    *o = (struct offcpu){
        .sink = {take, NULL, finish, next},
        .threads.size = sizeof(struct offcpu_thread),
        .sums.describe = describe,
        .least =
            least > UINT64_MAX / STACKTIME_MICROSECOND ? UINT64_MAX : least * STACKTIME_MICROSECOND,
    };
    for (size_t i = 0; i < set->count; i++)
        o->has_switches |= event_flag(&set->events[i], FLAG_CONTEXT_SWITCH);
    if (source != NULL && source->type == PERF_TYPE_TRACEPOINT) {
        const struct event_format *f = tracing_find(&tracing, source->config);
        o->state = field_of(f, SPAN("prev_state"));
        o->prev = field_of(f, SPAN("prev_pid"));
        o->next_tid = field_of(f, SPAN("next_pid"));
        if (o->state.size == 0 && problem == NULL)
            problem = "no field prev_state in the format of sched:sched_switch: "
                      "how threads waited is not known";
    }
    tracing_free(&tracing);
    o->refused = !can_be_used(o, source);
    if (o->refused)
        return problem;
    struct event e = o->source = *source;
    e.sample_type &= KEPT | ((e.sample_type & PERF_SAMPLE_CALLCHAIN) != 0 ? STACK : 0);
    stacktime_add_event(&o->session, e, SPAN("off-cpu"));
    return problem;
}

void
offcpu_free(struct offcpu *o)
{
    for (size_t i = 0; i < threadtable_count(&o->threads); i++)
        free(((struct offcpu_thread *)threadtable_at(&o->threads, i))->words);
    threadtable_free(&o->threads);
    free(o->running.at);
    intern_free(&o->cpus);
    stacktime_free(&o->sums);
    eventset_free(&o->session.events);
    arena_free(&o->session.names);
    *o = (struct offcpu){0};
}

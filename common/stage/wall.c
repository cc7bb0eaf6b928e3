#include "common/stage/wall.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/event/ownrecord.h"

/* A turn of a thread's event loop. */
struct wall_turn {
    uint32_t pid, tid;
    uint64_t began, ended;
    uint64_t stopped; /* nanoseconds in which the thread was stopped */
    uint32_t cpu;     /* CPU of its last sample */
    bool goes_on;     /* still in progress at the end of the recording */
    struct stacktime sums;
};

struct wall_thread {
    uint32_t pid, tid;
    bool lives;
    enum record_wait does;
    uint64_t since;   /* its time until then is accounted for, in stacks or in `owed` */
    uint64_t owed;    /* time on a CPU that has no stack yet */
    uint64_t in;      /* when it began to run */
    uint64_t longest; /* longest stretch of `owed` */
    uint64_t ready;   /* time runnable by the records, which the kernel's count may not have yet */
    uint64_t counted; /* time runnable by the kernel's count, as far as it was moved out of waits */
    bool uncounted;   /* `counted` is unknown */
    uint64_t read;    /* the kernel's count as read since; 0: not read */
    uint64_t waits;   /* number of waits since `counted` */
    uint64_t delay;   /* nanoseconds to move out of each of these waits */
    bool shares;      /* `delay` is set, and being moved */
    struct wall_stack {
        struct stack_place place; /* its chain is in `words` */
        char *words;
        size_t cap;
    } out, ran; /* at the last switch, and at the end of the longest stretch */
    struct boundary_calls calls;
    bool in_turn;
    struct wall_turn turn;
    struct wall_stack sampled; /* last sample in the turn; an empty chain: none yet */
    uint64_t before;           /* time on a CPU without a stack from before the turn */
    bool stopped;              /* it waits because it is stopped */
    bool polls;                /* it waits for events, by OWN_LOOP */
    uint64_t woke;             /* when that wait ended; 0: unknown */
    uint64_t number, seen;     /* number of the turn, by OWN_LOOP; when it was last seen */
};

static const struct stack_place nowhere = {.misc = PERF_RECORD_MISC_USER};
static const struct boundary_calls no_calls = {.loop = BOUNDARY_NO_LOOP, .made = BOUNDARY_NO_LOOP};

static struct wall_thread *
find_thread(const struct wall *w, uint32_t tid)
{
    struct wall_thread *t = threadtable_find(&w->threads, tid);
    return t != NULL && t->lives ? t : NULL;
}

/* Forget that the thread is in a turn: add the turn's sums to the common ones. */
static void
leave_turn(struct wall *w, struct wall_thread *t)
{
    w->apart -= t->turn.sums.keys.count;
    stacktime_take(&w->sums, &t->turn.sums);
    t->owed += t->before;
    t->before = 0;
    t->in_turn = false;
}

/* Add a thread whose activity since that time is `does`. */
static struct wall_thread *
add_thread(struct wall *w, uint32_t pid, uint32_t tid, enum record_wait does, uint64_t since)
{
    struct wall_thread *t = threadtable_add(&w->threads, tid);
    if (t->in_turn) /* of an earlier thread with this tid, the record of whose end was lost */
        leave_turn(w, t);
    t->pid = pid;
    t->tid = tid;
    t->lives = true;
    t->does = does;
    t->since = t->in = since;
    t->owed = t->before = t->longest = 0;
    t->ready = t->waits = t->delay = t->read = t->counted = 0;
    t->out.place = t->ran.place = nowhere;
    t->calls = no_calls;
    t->stopped = t->polls = false;
    t->woke = 0;
    t->uncounted = does != RECORD_READY; /* a new thread's count begins with it */
    return t;
}

/* Return the thread of a record. A new thread of a cgroup may have run since the recording began.
 * For any other the record of its start was lost: its time begins with this record. */
static struct wall_thread *
thread_of(struct wall *w, const struct record *r, enum record_wait did)
{
    struct wall_thread *t = find_thread(w, r->tid);
    if (t != NULL)
        return t;
    return add_thread(w, r->pid, r->tid, did, (w->flags & OWN_CGROUP) != 0 ? w->began : r->time);
}

static void
keep_stack(struct wall_stack *to, const struct stack_place *place)
{
    size_t bytes = place->chain.count * sizeof(uint64_t);
    to->words = mem_grow(to->words, &to->cap, bytes, 1);
    if (bytes > 0)
        memcpy(to->words, place->chain.ptr, bytes);
    to->place = *place;
    to->place.chain.ptr = to->words;
}

/* Append text that says how the turn ended: "ended, stopped 400123 us". */
static void
describe_turn(const struct wall_turn *turn, struct text *to)
{
    text_add(to, turn->goes_on ? SPAN("going on") : SPAN("ended"));
    if (turn->stopped >= STACKTIME_MICROSECOND) {
        char digits[NUM_DIGITS];
        TEXT_ADD(to, SPAN(", stopped "), num_decimal(digits, turn->stopped / STACKTIME_MICROSECOND),
                 SPAN(" us"));
    }
}

static void
pass_turn(struct wall *w, struct wall_turn *turn)
{
    const struct event *events = w->session.events.events;
    stacktime_pass_at(&turn->sums, &events[0], turn->ended, w->sink.next);
    w->text.len = 0;
    describe_turn(turn, &w->text);
    const struct record r = {
        .type = PERF_RECORD_SAMPLE,
        .misc = PERF_RECORD_MISC_USER,
        .event = &events[1],
        .bytes = SPAN(""),
        .has = events[1].sample_type,
        .time = turn->ended,
        .pid = turn->pid,
        .tid = turn->tid,
        .cpu = turn->cpu,
        .sample = {.period = (turn->ended - turn->began) / STACKTIME_MICROSECOND,
                   .raw = text_span(&w->text)},
    };
    w->sink.next->record(w->sink.next, &r);
}

/* Pass on the turns that have ended. */
static void
pass_turns(struct wall *w)
{
    for (size_t i = 0; i < w->held.n; i++) {
        w->apart -= w->held.at[i].sums.keys.count;
        pass_turn(w, &w->held.at[i]);
        stacktime_free(&w->held.at[i].sums);
    }
    w->held.n = 0;
}

static void
flush(struct wall *w)
{
    w->flushed = w->now;
    pass_turns(w);
    stacktime_pass(&w->sums, &w->session.events.events[0], w->sink.next);
}

/* Add a stretch of a thread's time to these sums: those of its turn, or the common ones. If those
 * of a turn take too much memory, move them to the common ones. */
static void
add_time(struct wall *w, const struct wall_thread *t, struct stacktime *sums,
         const struct stack_place *place, enum record_wait what, uint64_t time, uint64_t until)
{
    size_t before = sums->keys.count;
    stacktime_add(sums, t->pid, t->tid, place, what, time, until);
    w->apart += sums != &w->sums ? sums->keys.count - before : 0;
    if (sums != &w->sums && sums->bytes > STACKTIME_MUCH) {
        w->apart -= sums->keys.count;
        stacktime_take(&w->sums, sums);
    }
}

static struct stacktime *
sums_of(struct wall *w, struct wall_thread *t)
{
    return t->in_turn ? &t->turn.sums : &w->sums;
}

/* Attribute the thread's time until `time` to its current activity. */
static void
spend(struct wall *w, struct wall_thread *t, uint64_t time)
{
    uint64_t spent = time > t->since ? time - t->since : 0;
    t->since += spent;
    if (t->does == RECORD_RUNS) {
        t->owed += spent;
        return;
    }
    t->ready += t->does == RECORD_READY ? spent : 0;
    t->waits += t->does == RECORD_WAITS && spent > 0;
    t->turn.stopped += t->stopped ? spent : 0;
    if (spent > 0 && spent < w->least)
        w->too_short++;
    else if (spent > 0)
        add_time(w, t, sums_of(w, t), &t->out.place, t->does, spent, t->since);
}

/* Attribute the time on a CPU that has no stack yet to this one. */
static void
pay(struct wall *w, struct wall_thread *t, const struct stack_place *place)
{
    if (t->before > 0)
        add_time(w, t, &w->sums, place, RECORD_RUNS, t->before, t->turn.began);
    if (t->owed > 0)
        add_time(w, t, sums_of(w, t), place, RECORD_RUNS, t->owed, t->since);
    t->owed = t->before = t->longest = 0;
}

static void
start_running(struct wall *w, struct wall_thread *t, uint64_t time)
{
    spend(w, t, time);
    if (t->does != RECORD_RUNS)
        t->in = time;
    t->does = RECORD_RUNS;
    t->woke = t->polls ? time : t->woke;
    t->stopped = t->polls = false;
    t->out.place = nowhere;
}

/* End the thread's turn. If the thread waits, its time until then is accounted for already. */
static void
end_turn(struct wall *w, struct wall_thread *t, uint64_t time, bool goes_on)
{
    enum { HELD_MAX = 1 << 16 };
    if (t->does == RECORD_RUNS)
        spend(w, t, time);
    if (time < t->turn.began || time - t->turn.began < w->turn) {
        leave_turn(w, t);
        return;
    }
    const struct wall_stack *last = t->longest > 0                     ? &t->ran
                                    : t->sampled.place.chain.count > 0 ? &t->sampled
                                                                       : &t->out;
    pay(w, t, &last->place);
    t->in_turn = false;
    t->turn.pid = t->pid;
    t->turn.tid = t->tid;
    t->turn.cpu = last->place.cpu;
    t->turn.ended = time;
    t->turn.goes_on = goes_on;
    VEC_ADD(w->held, t->turn);
    t->turn.sums = (struct stacktime){.describe = w->sums.describe};
    if (!w->counts || w->apart > HELD_MAX)
        pass_turns(w);
}

static void
begin_turn(struct wall *w, struct wall_thread *t, uint64_t time)
{
    if (t->in_turn) /* records were lost */
        leave_turn(w, t);
    t->in_turn = true;
    t->before = t->owed;
    t->owed = t->longest = 0;
    t->sampled.place = nowhere;
    t->turn.began = time;
    t->turn.stopped = 0;
    t->turn.sums.describe = w->sums.describe;
}

/* Process a call that waits for events, or its return. */
static void
take_boundary(struct wall *w, const struct record *r, enum boundary b)
{
    struct wall_thread *t = thread_of(w, r, RECORD_RUNS);
    enum boundary_change change = boundary_take(&t->calls, b, r, t->in_turn);
    if (t->does != RECORD_RUNS)
        start_running(w, t, r->time);
    if (change == TURN_STAYS)
        return;
    spend(w, t, r->time);
    if (change == TURN_BEGINS)
        begin_turn(w, t, r->time);
    else
        end_turn(w, t, r->time, false);
}

/* Begin a turn with a time in the past: that it began is found out only now. */
static void
begin_earlier(struct wall *w, struct wall_thread *t, uint64_t began)
{
    if (t->does == RECORD_RUNS)
        spend(w, t, began);
    bool all = began <= t->since - t->owed;
    begin_turn(w, t, began);
    if (all) {
        t->owed = t->before;
        t->before = 0;
    }
}

/* Process the state of a thread's loop at this time. Its turn may have changed since the last
 * state. The end of a turn is then the beginning of the thread's current wait, or the beginning of
 * the next turn, but not before the turn was last seen. With tracepoints, use this only for the
 * turn in which the thread was when the recording began: it has no record of its beginning. */
static void
take_loop(struct wall *w, const struct ownrecord *own, uint64_t time)
{
    struct wall_thread *t = find_thread(w, own->tid);
    const struct ownloop *loop = &own->loop;
    w->has_boundaries = true;
    if (t == NULL || w->turn == 0 ||
        (w->exact && (t->in_turn || t->calls.loop != BOUNDARY_NO_LOOP)))
        return;
    if (loop->polls) {
        if (t->in_turn)
            end_turn(w, t, t->does == RECORD_WAITS ? t->since : time, false);
        t->polls = t->does == RECORD_WAITS;
        t->woke = 0;
        return;
    }
    uint64_t began = loop->began > 0 ? loop->began : t->woke > 0 ? t->woke : time;
    began = began < time ? began : time;
    if (t->in_turn && loop->turn != t->number)
        end_turn(w, t, began > t->seen ? began : t->seen, false);
    if (!t->in_turn)
        begin_earlier(w, t, began);
    t->number = loop->turn;
    t->seen = time;
}

/* Forget the turns in progress: records of calls and returns may have been lost. */
static void
leave_turns(struct wall *w)
{
    for (size_t i = 0; i < threadtable_count(&w->threads); i++) {
        struct wall_thread *t = threadtable_at(&w->threads, i);
        t->calls.inner = t->calls.ring = false;
        w->cut_turns += t->in_turn;
        if (t->in_turn)
            leave_turn(w, t);
    }
}

/* Process the stack of a thread that has waited all the time. */
static void
take_last_stack(struct wall *w, const struct record *r, const struct ownrecord *own)
{
    struct stack_place place = stacktime_place(&w->sums, r);
    struct wall_thread *t = find_thread(w, own->tid);
    if (t == NULL || t->does != RECORD_UNSEEN)
        return;
    place.ip = own->ip;
    place.chain = own->chain;
    keep_stack(&t->out, &place);
    t->does = RECORD_WAITS;
}

static void
take_sample(struct wall *w, const struct record *r)
{
    enum boundary b = w->boundaries[r->event->number];
    if (b != BOUNDARY_NONE && w->turn > 0)
        if (r->pid != w->recorder)
            take_boundary(w, r, b);
    if (b != BOUNDARY_NONE)
        return;
    struct stack_place place = stacktime_place(&w->sums, r);
    struct wall_thread *t = thread_of(w, r, RECORD_RUNS);
    if (t->does != RECORD_RUNS)
        start_running(w, t, r->time);
    if (r->event->number == w->switches) {
        keep_stack(&t->out, &place);
        return;
    }
    spend(w, t, r->time);
    pay(w, t, &place);
    if (t->in_turn)
        keep_stack(&t->sampled, &place);
}

/* Process the record of a switch, which comes after the sample of the switch. Between the two the
 * thread still ran: the kernel was unwinding its stack. */
static void
take_switch(struct wall *w, const struct record *r)
{
    bool out = (r->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
    bool preempted = (r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
    struct wall_thread *t = thread_of(w, r, out ? RECORD_RUNS : RECORD_UNSEEN);
    if (!out) {
        start_running(w, t, r->time);
        return;
    }
    spend(w, t, r->time);
    if (t->does == RECORD_RUNS && t->since - t->in >= t->longest) {
        t->longest = t->since - t->in;
        keep_stack(&t->ran, &t->out.place);
    }
    t->does = preempted ? RECORD_READY : RECORD_WAITS;
}

/* Attribute all of the thread's time until `time` to stacks. */
static void
settle(struct wall *w, struct wall_thread *t, uint64_t time, bool goes_on)
{
    spend(w, t, time);
    if (t->in_turn)
        end_turn(w, t, time, goes_on);
    pay(w, t, t->longest > 0 ? &t->ran.place : &t->out.place);
}

/* Process an exec. The thread may now have the count of another: the one that called execve()
 * takes over the id of the main thread. */
static void
take_exec(struct wall *w, const struct record *r)
{
    struct wall_thread *t = find_thread(w, r->comm.tid);
    if ((r->misc & PERF_RECORD_MISC_COMM_EXEC) == 0 || r->time == 0)
        return;
    if (t != NULL) {
        settle(w, t, r->time, false);
        t->calls = no_calls;
        t->out.place = t->ran.place = nowhere;
        t->uncounted = true;
    } else if ((w->flags & (OWN_OTHERS | OWN_THREADS)) == 0) {
        add_thread(w, r->comm.pid, r->comm.tid, RECORD_RUNS, r->time);
    }
}

/* Add a new thread, which waits for a CPU. */
static void
take_fork(struct wall *w, const struct record *r)
{
    bool known = (w->flags & OWN_OTHERS) == 0 || find_thread(w, r->task.ptid) != NULL;
    if (r->time != 0 && known && (w->flags & OWN_THREADS) == 0)
        add_thread(w, r->task.pid, r->task.tid, RECORD_READY, r->time);
}

static bool
lives(void *ctx, const void *thread)
{
    (void)ctx;
    return ((const struct wall_thread *)thread)->lives;
}

static void
free_thread(struct wall_thread *t)
{
    free(t->out.words);
    free(t->ran.words);
    free(t->sampled.words);
    stacktime_free(&t->turn.sums);
}

static void
end_thread(struct wall *w, struct wall_thread *t, uint64_t time)
{
    settle(w, t, time, false);
    free_thread(t);
    *t = (struct wall_thread){.tid = t->tid};
    w->threads.ended++;
}

static void
take_exit(struct wall *w, const struct record *r)
{
    struct wall_thread *t = find_thread(w, r->task.tid);
    if (t != NULL)
        end_thread(w, t, r->time);
    threadtable_sweep(&w->threads, lives, NULL);
}

/* Set t->delay to the average time for which the thread was runnable after each of its waits: the
 * kernel's count since the last time, less the preemption that the records show. */
static void
set_delay(struct wall_thread *t)
{
    t->shares = t->read > 0;
    if (!t->shares)
        return;
    uint64_t queued = t->read > t->counted ? t->read - t->counted : 0;
    uint64_t known = t->ready < queued ? t->ready : queued;
    t->delay = t->waits > 0 ? (queued - known) / t->waits : 0;
    t->counted += queued;
    t->ready -= known;
    t->read = t->waits = 0;
}

/* Move the threads' delays out of the waits in these sums, to time in the run queue. */
static void
move_delays(struct wall *w, struct stacktime *sums)
{
    const uint32_t count = (uint32_t)sums->keys.count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t tid, what;
        uint64_t waits = stacktime_of(sums, i, &tid, &what);
        struct wall_thread *t = what == RECORD_WAITS ? find_thread(w, tid) : NULL;
        if (t != NULL && t->shares)
            stacktime_move(sums, i, RECORD_READY, t->delay * waits);
    }
    w->apart += sums != &w->sums ? sums->keys.count - count : 0;
}

/* Move all delays, after new counts have come, and pass on the turns that were held for them. */
static void
share_delays(struct wall *w)
{
    for (size_t i = 0; i < threadtable_count(&w->threads); i++)
        set_delay(threadtable_at(&w->threads, i));
    move_delays(w, &w->sums);
    for (size_t i = 0; i < w->held.n; i++)
        move_delays(w, &w->held.at[i].sums);
    for (size_t i = 0; i < threadtable_count(&w->threads); i++) {
        struct wall_thread *t = threadtable_at(&w->threads, i);
        if (t->lives && t->in_turn)
            move_delays(w, &t->turn.sums);
    }
    pass_turns(w);
    w->has_new_counts = false;
    w->taken = 0;
}

/* Pass the sums on once a second of the records' time: right after delays were moved, or, without
 * counts, a second later. */
static void
flush_each_second(struct wall *w, bool counted)
{
    uint64_t seconds = w->now / STACKTIME_SECOND - w->flushed / STACKTIME_SECOND;
    if (w->flushed == 0)
        w->flushed = w->now;
    else if (seconds > !counted)
        flush(w);
}

/* Process the kernel's count of a thread's time in the run queue. Without a time it is of a thread
 * that ran before the recording. */
static void
take_queued(struct wall *w, const struct ownrecord *own, uint64_t time)
{
    struct wall_thread *t = find_thread(w, own->tid);
    if (time == 0 && t == NULL)
        t = add_thread(w, own->pid, own->tid, RECORD_UNSEEN, w->began);
    if (t == NULL)
        return;
    if (t->uncounted) {
        t->uncounted = false;
        t->counted = own->queued;
        t->ready = t->waits = 0;
    } else {
        t->read = own->queued;
        w->has_new_counts = w->counts = true;
    }
}

static void
take_stop(struct wall *w, const struct ownrecord *own)
{
    struct wall_thread *t = find_thread(w, own->tid);
    if (t != NULL && t->does == RECORD_WAITS)
        t->stopped = true;
}

/* End all threads' time, since the counters were stopped, and move the last delays. */
static void
end_time(struct wall *w, uint64_t time)
{
    w->ended = time;
    for (size_t i = 0; i < threadtable_count(&w->threads); i++) {
        struct wall_thread *t = threadtable_at(&w->threads, i);
        if (t->lives)
            settle(w, t, time, true);
    }
    share_delays(w);
}

static void
take_own(struct wall *w, const struct ownrecord *own, const struct record *r)
{
    switch (own->what) {
    case OWN_BEGAN:
        w->began = own->began;
        w->flags = own->flags;
        w->recorder = own->pid;
        break;
    case OWN_QUEUED:
        take_queued(w, own, r->time);
        break;
    case OWN_STACK:
        take_last_stack(w, r, own);
        break;
    case OWN_STOPPED:
        take_stop(w, own);
        break;
    case OWN_LOOP:
        if (w->ended == 0)
            take_loop(w, own, r->time);
        break;
    case OWN_ENDED:
        if (w->ended == 0)
            end_time(w, r->time);
        break;
    }
}

/* Return true if new counts have come, and enough records to pay for moving the delays. That takes
 * time for each thread and each sum: it waits for a number of records in proportion to these, so
 * that time stays linear in the input for any file. */
static bool
may_share(const struct wall *w)
{
    enum { PER_RECORD = 64 };
    return w->has_new_counts &&
           w->taken >=
               (threadtable_count(&w->threads) + w->sums.keys.count + w->apart) / PER_RECORD;
}

/* Return true if samples are made of records like this one. */
static bool
is_source(const struct record *r)
{
    return r->type == PERF_RECORD_SAMPLE || r->type == PERF_RECORD_SWITCH ||
           r->type == PERF_RECORD_SWITCH_CPU_WIDE;
}

static void
take_source(struct wall *w, const struct record *r)
{
    if (r->tid == 0 || r->tid == UINT32_MAX) /* the CPU was idle, or the thread has ended */
        return;
    if (r->type != PERF_RECORD_SAMPLE)
        take_switch(w, r);
    else if (r->event != NULL)
        take_sample(w, r);
    if (w->sums.bytes > STACKTIME_MUCH)
        flush(w);
}

/* Return true if the record renames or ends a process whose turns are held. */
static bool
concerns_held(const struct wall *w, const struct record *r)
{
    bool renames = r->type == PERF_RECORD_COMM, ends = r->type == PERF_RECORD_EXIT;
    for (size_t i = 0; (renames || ends) && i < w->held.n; i++)
        if (w->held.at[i].pid == (renames ? r->comm.pid : r->task.pid))
            return true;
    return false;
}

/* Process a record that is no source of samples. */
static void
take_other(struct wall *w, const struct record *r)
{
    if (r->type == PERF_RECORD_COMM)
        take_exec(w, r);
    else if (r->type == PERF_RECORD_FORK)
        take_fork(w, r);
    else if (r->type == PERF_RECORD_EXIT)
        take_exit(w, r);
    else if (r->type == PERF_RECORD_LOST || r->type == PERF_RECORD_LOST_SAMPLES)
        leave_turns(w);
    if (stacktime_see(&w->sums, r) || concerns_held(w, r))
        flush(w);
}

static void
take(struct recordsink *s, const struct record *r)
{
    struct wall *w = (struct wall *)s; /* its first member */
    struct ownrecord own;
    bool is_own = ownrecord_read(r, &own), counted = !is_own && may_share(w);
    if (counted)
        share_delays(w);
    w->taken++;
    w->now = r->time > w->now ? r->time : w->now;
    if (is_own)
        take_own(w, &own, r);
    else
        flush_each_second(w, counted);
    if (w->ended == 0 && is_source(r))
        take_source(w, r);
    else if (w->ended == 0)
        take_other(w, r);
    if (!is_source(r))
        w->sink.next->record(w->sink.next, r);
}

static void
finish(struct recordsink *s)
{
    struct wall *w = (struct wall *)s;
    if (w->ended == 0)
        end_time(w, w->now);
    for (size_t i = 0; i < threadtable_count(&w->threads); i++) {
        struct wall_thread *t = threadtable_at(&w->threads, i);
        if (t->lives)
            end_thread(w, t, w->ended);
    }
    flush(w);
    sink_finish(w->sink.next);
}

static void
describe(uint32_t what, struct text *buffer, struct record *sample)
{
    static const struct span texts[] = {[RECORD_RUNS] = SPAN("running"),
                                        [RECORD_WAITS] = SPAN("waiting"),
                                        [RECORD_READY] = SPAN("ready"),
                                        [RECORD_UNSEEN] = SPAN("waiting")};
    (void)buffer;
    sample->sample.wait = (enum record_wait)what;
    sample->sample.raw = texts[what];
}

/* Return true if the event has a sample at each switch, with its thread and time. */
static bool
is_switches(const struct event *e)
{
    enum { NEEDED = PERF_SAMPLE_TID | PERF_SAMPLE_TIME };
    return ((e->type == PERF_TYPE_SOFTWARE && e->config == PERF_COUNT_SW_CONTEXT_SWITCHES) ||
            (e->type == PERF_TYPE_TRACEPOINT && span_eq(e->name, SPAN("sched:sched_switch")))) &&
           (e->sample_type & NEEDED) == NEEDED && e->period <= 1 && !event_flag(e, FLAG_FREQ);
}

static uint64_t
scaled(uint64_t number, uint64_t unit)
{
    return number > UINT64_MAX / unit ? UINT64_MAX : number * unit;
}

void
wall_init(struct wall *w, const struct session *session, struct recordsink *next, uint64_t least,
          uint64_t turn)
{
    const struct eventset *set = &session->events;
    bool has_records = false;
    *w = (struct wall){
        .sink = {take, NULL, finish, next},
        .threads.size = sizeof(struct wall_thread),
        .sums.describe = describe,
        .least = scaled(least, STACKTIME_MICROSECOND),
        .turn = scaled(turn, STACKTIME_MILLISECOND),
    };
    w->boundaries = mem_alloc((set->count + 1) * sizeof *w->boundaries);
    for (size_t i = 0; i < set->count; i++) {
        w->boundaries[i] = boundary_of(&set->events[i]);
        w->exact |= w->boundaries[i] != BOUNDARY_NONE;
        has_records |= event_flag(&set->events[i], FLAG_CONTEXT_SWITCH);
    }
    while (w->switches < set->count && !is_switches(&set->events[w->switches]))
        w->switches++;
    w->has_boundaries = w->exact;
    w->refused = w->switches == set->count || !has_records;
    if (w->refused)
        return;
    stacktime_add_event(&w->session, set->events[w->switches], SPAN("wall"));
    if (turn > 0)
        stacktime_add_event(&w->session, set->events[w->switches], SPAN("turn"));
}

void
wall_free(struct wall *w)
{
    for (size_t i = 0; i < threadtable_count(&w->threads); i++)
        free_thread(threadtable_at(&w->threads, i));
    for (size_t i = 0; i < w->held.n; i++)
        stacktime_free(&w->held.at[i].sums);
    free(w->held.at);
    free(w->boundaries);
    free(w->text.ptr);
    threadtable_free(&w->threads);
    stacktime_free(&w->sums);
    eventset_free(&w->session.events);
    arena_free(&w->session.names);
    *w = (struct wall){0};
}

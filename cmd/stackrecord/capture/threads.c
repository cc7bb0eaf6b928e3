#include "cmd/stackrecord/capture/threads.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmd/stackrecord/capture/laststack.h"
#include "cmd/stackrecord/capture/loops.h"
#include "common/base/clock.h"
#include "common/event/ownrecord.h"
#include "common/machine/procfs.h"

struct thread {
    uint32_t pid, tid;
    bool unseen;    /* it has waited since before the recording began */
    bool waited;    /* it has waited since its counts were last read */
    bool waits;     /* it waits, and it is not known yet whether it is stopped */
    bool out;       /* it was switched out, not by preemption */
    bool looked;    /* the state of its loop since then is written */
    unsigned looks; /* number of looks at a thread without a known loop */
    struct loop loop;
    uint64_t ended_in; /* round in which it ended; 0: it may run */
};

static struct thread *
add(struct threads *t, uint32_t pid, uint32_t tid)
{
    struct thread *thread = threadtable_add(&t->table, tid);
    t->table.ended -= thread->ended_in != 0;
    *thread = (struct thread){.pid = pid, .tid = tid};
    return thread;
}

static void
write_own(struct threads *t, const struct ownrecord *own, uint64_t time)
{
    ownrecord_write(own, t->events, time, 0, &t->record);
    t->to->record(t->to, text_span(&t->record));
}

/* Add a record of the total time that the thread was ready, if the kernel counts that. */
static void
write_queued(struct threads *t, const struct thread *thread, uint64_t time)
{
    struct ownrecord own = {.what = OWN_QUEUED, .pid = thread->pid, .tid = thread->tid};
    own.queued = procfs_queued(&t->file, (int32_t)thread->tid);
    if (own.queued > 0 || time == 0)
        write_own(t, &own, time);
}

/* Add a record if the thread is stopped. A wait is a stop either from its beginning or not at
 * all. */
static void
write_stopped(struct threads *t, struct thread *thread, uint64_t time)
{
    struct ownrecord own = {.what = OWN_STOPPED, .pid = thread->pid, .tid = thread->tid};
    if (procfs_is_stopped(&t->file, (int32_t)thread->tid))
        write_own(t, &own, time);
    thread->waits = false;
}

/* Add a record of the state of the thread's event loop. */
static void
write_loop(struct threads *t, struct thread *thread)
{
    struct ownrecord own = {.what = OWN_LOOP, .pid = thread->pid, .tid = thread->tid};
    uint64_t time = clock_now();
    if (thread->looked)
        return;
    thread->looks++;
    if (loops_ask(&thread->loop, thread->pid, thread->tid, &t->file, &own))
        write_own(t, &own, time);
    thread->looked = thread->out && thread->loop.exact;
}

/* Return true if the process, or with OWN_THREADS the thread, is recorded. */
static bool
is_wanted(const struct threads *t, uint32_t pid, uint32_t tid)
{
    if ((t->flags & OWN_THREADS) != 0)
        return numbers_has(&t->ids, (int32_t)tid);
    return (t->flags & OWN_OTHERS) == 0 || intern_find(&t->kept, SPAN_BYTES(pid)) != INTERN_NONE;
}

/* Take the name of a thread: one that existed when the recording began, or one that did an exec,
 * which may have got another thread's id by that. */
static void
take_comm(struct threads *t, const struct record *r)
{
    uint32_t pid = r->comm.pid, tid = r->comm.tid;
    bool exec = (r->misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
    if (!is_wanted(t, pid, tid) || (t->flags & OWN_CGROUP) != 0)
        return;
    if (r->time == 0 && threadtable_find(&t->table, tid) == NULL) {
        struct thread *thread = add(t, pid, tid);
        thread->unseen = true;
        write_queued(t, thread, 0);
    } else if (exec && r->time != 0) {
        write_queued(t, add(t, pid, tid), clock_now());
    }
}

static void
take_fork(struct threads *t, const struct record *r)
{
    const struct record_task *task = &r->task;
    if (r->time == 0 || (t->flags & OWN_THREADS) != 0 || !is_wanted(t, task->ppid, task->ptid))
        return;
    if ((t->flags & OWN_OTHERS) != 0)
        intern_add(&t->kept, SPAN_BYTES(task->pid));
    add(t, task->pid, task->tid);
}

/* Keep an ended thread for another round: its last switch may come after its exit record. */
static void
take_exit(struct threads *t, const struct record *r)
{
    struct thread *thread = threadtable_find(&t->table, r->task.tid);
    if (thread == NULL || thread->ended_in != 0)
        return;
    thread->ended_in = t->rounds;
    thread->unseen = thread->waited = thread->waits = false;
    t->table.ended++;
}

static void
take_switch(struct threads *t, const struct record *r)
{
    bool preempted = (r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
    struct thread *thread = threadtable_find(&t->table, r->tid);
    if (r->tid == 0) /* the idle task of a CPU */
        return;
    if (thread == NULL && (t->flags & OWN_CGROUP) != 0)
        thread = add(t, r->pid, r->tid);
    if (thread == NULL || thread->ended_in != 0)
        return;
    thread->unseen = false;
    thread->looked = false;
    thread->out = thread->waits = (r->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0 && !preempted;
    thread->waited |= thread->waits;
}

static void
take(struct rawsink *sink, struct span bytes)
{
    struct threads *t = (struct threads *)sink; /* its first member */
    uint32_t type = load_u32(bytes.ptr);
    struct record r;
    t->to->record(t->to, bytes);
    if (!t->wall ||
        (type != PERF_RECORD_COMM && type != PERF_RECORD_FORK && type != PERF_RECORD_EXIT &&
         type != PERF_RECORD_SWITCH && type != PERF_RECORD_SWITCH_CPU_WIDE) ||
        record_decode(t->events, bytes, &r) != NULL)
        return;
    switch (type) {
    case PERF_RECORD_COMM:
        take_comm(t, &r);
        break;
    case PERF_RECORD_FORK:
        take_fork(t, &r);
        break;
    case PERF_RECORD_EXIT:
        take_exit(t, &r);
        break;
    default:
        take_switch(t, &r);
        break;
    }
}

/* Return false if the thread ended before this round. */
static bool
is_recent(void *ctx, const void *thread)
{
    struct threads *t = ctx;
    uint64_t ended_in = ((const struct thread *)thread)->ended_in;
    t->table.ended += ended_in == t->rounds;
    return ended_in == 0 || ended_in == t->rounds;
}

/* Read how long threads that have waited, with `all` all threads, were ready without a CPU so far.
 * Read at most MOST of them, so that the ring buffers do not overflow meanwhile; the next call
 * continues with the others. */
static void
ask(struct threads *t, uint64_t time, bool all)
{
    enum { MOST = 500 };
    size_t asked = 0, from = t->next, count = threadtable_count(&t->table);
    for (size_t i = 0; i < count && asked < MOST; i++) {
        size_t number = (from + i) % count;
        struct thread *thread = threadtable_at(&t->table, number);
        if (thread->ended_in != 0 || (!thread->waited && !all))
            continue;
        write_queued(t, thread, time);
        thread->waited = false;
        if (t->turns && thread->waits)
            write_stopped(t, thread, time);
        if (t->loops && !thread->loop.found)
            write_loop(t, thread);
        t->next = number + 1;
        asked++;
    }
    t->asked = clock_now();
}

/* Add the state of event loops. A thread that showed no loop at the first looks is only looked at
 * by ask(). */
static void
ask_loops(struct threads *t)
{
    enum { FIRST = 100 };
    for (size_t i = 0; i < threadtable_count(&t->table); i++) {
        struct thread *thread = threadtable_at(&t->table, i);
        if ((thread->loop.found || thread->looks < FIRST) && thread->ended_in == 0)
            write_loop(t, thread);
    }
    t->looked = clock_now();
}

static void
end_round(struct rawsink *sink)
{
    enum { EACH = 250000000 };
    struct threads *t = (struct threads *)sink;
    uint64_t now = clock_now();
    if (t->wall && now - t->asked >= EACH)
        ask(t, now, false);
    bool first = t->turns && t->has_tasks && t->looked == 0;
    if (first || (t->loops && now - t->looked >= (uint64_t)THREADS_LOOPS_MS * 1000000 * 9 / 10))
        ask_loops(t);
    threadtable_sweep(&t->table, is_recent, t);
    t->rounds++;
    t->to->round(t->to);
}

static void
finish(struct rawsink *sink)
{
    struct threads *t = (struct threads *)sink;
    t->to->finish(t->to);
    intern_free(&t->kept);
    threadtable_free(&t->table);
    free(t->file.ptr);
    free(t->record.ptr);
}

void
threads_begin(struct threads *t, uint64_t time)
{
    write_own(t,
              &(struct ownrecord){
                  .what = OWN_BEGAN, .pid = (uint32_t)getpid(), .began = time, .flags = t->flags},
              0);
}

/* Add the stacks of threads that have waited during the whole recording. Return how many could not
 * be read in time. */
static size_t
add_last_stacks(struct threads *t, uint64_t time)
{
    const uint64_t deadline = clock_now() + CLOCK_SECOND / 2;
    struct laststack l = {.events = t->events, .time = time};
    size_t missing = 0;
    for (size_t i = 0; i < threadtable_count(&t->table); i++) {
        const struct thread *thread = threadtable_at(&t->table, i);
        errno = 0;
        if (!thread->unseen)
            continue;
        if (clock_now() >= deadline)
            missing++;
        else if (laststack_read(&l, thread->pid, thread->tid, &t->record))
            t->to->record(t->to, text_span(&t->record));
        else
            missing += errno == ETIMEDOUT;
    }
    laststack_free(&l);
    return missing;
}

size_t
threads_stop(struct threads *t, uint64_t time)
{
    if (t->wall)
        ask(t, time, true);
    size_t missing = add_last_stacks(t, time);
    write_own(t, &(struct ownrecord){.what = OWN_ENDED}, time);
    return missing;
}

struct rawsink *
threads_init(struct threads *t, const struct eventset *events, const struct target *target,
             bool others, bool wall, struct rawsink *to)
{
    *t = (struct threads){.sink = {take, end_round, finish},
                          .events = events,
                          .to = to,
                          .wall = wall,
                          .has_tasks = !others && (target->kind == TARGET_PROCESSES ||
                                                   target->kind == TARGET_THREADS),
                          .ids = target->ids,
                          .rounds = 1,
                          .table.size = sizeof(struct thread)};
    t->flags = (others ? OWN_OTHERS : 0U) | (target->kind == TARGET_THREADS ? OWN_THREADS : 0U) |
               (target->kind == TARGET_CGROUP ? OWN_CGROUP : 0U);
    for (size_t i = 0; others && i < target->ids.count; i++)
        intern_add(&t->kept, SPAN_BYTES((uint32_t){(uint32_t)target->ids.at[i]}));
    return &t->sink;
}

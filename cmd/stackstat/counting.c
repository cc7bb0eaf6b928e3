#include "cmd/stackstat/counting.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/base/mem.h"
#include "common/machine/perfopen.h"
#include "common/machine/procfs.h"
#include "common/machine/refusal.h"

/* PERF_EVENT_IOC_* of linux/perf_event.h. */
#define IOC_ENABLE  _IO('$', 0)
#define IOC_DISABLE _IO('$', 1)

enum { EVERY_CPU = -1 };

static const uint32_t none = UINT32_MAX;

/* Return true if the event is in a group of several. */
static bool
is_grouped(const struct events *e, size_t i)
{
    return e->leaders[i] != i || (i + 1 < e->count && e->leaders[i + 1] == i);
}

/* Return the attributes with which to open a counter. No period, since it would make samples.
 * Members of a group are enabled with their leader. */
static struct event
attributes(const struct counting *c, const struct event *event, int leader)
{
    struct event e = *event;
    enum target_kind kind = c->target->kind;
    e.period = 0;
    e.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    if (is_grouped(c->events, event->number))
        e.read_format |= PERF_FORMAT_GROUP;
    if (kind == TARGET_PROCESSES || kind == TARGET_COMMAND)
        event_set(&e, FLAG_INHERIT);
    if (leader < 0)
        event_set(&e, FLAG_DISABLED);
    if (leader < 0 && kind == TARGET_COMMAND)
        event_set(&e, FLAG_ENABLE_ON_EXEC);
    return e;
}

/* Open one counter. If only user mode may be counted, also exclude the other modes in *event. */
static int
open_one(const struct counting *c, struct event *event, int32_t task, int32_t cpu, int leader)
{
    unsigned flags = c->target->kind == TARGET_CGROUP ? COUNT_CGROUP : 0;
    struct event e = attributes(c, event, leader);
    int fd = perfopen_member(&e, task, cpu, leader, flags);
    if (fd < 0 && errno == EMFILE && perfopen_raise_limit())
        fd = perfopen_member(&e, task, cpu, leader, flags);
    if (fd >= 0 || errno != EACCES || e.type == PERF_TYPE_TRACEPOINT ||
        event_flag(&e, FLAG_EXCLUDE_KERNEL))
        return fd;
    event_set(&e, FLAG_EXCLUDE_KERNEL);
    event_set(&e, FLAG_EXCLUDE_HV);
    fd = perfopen_member(&e, task, cpu, leader, flags);
    if (fd >= 0) {
        event_set(event, FLAG_EXCLUDE_KERNEL);
        event_set(event, FLAG_EXCLUDE_HV);
    }
    return fd;
}

/* Set *tasks to the tasks that have counters of their own. Return the errno if they cannot be
 * listed. As with perf, a thread that a process starts meanwhile may be missing. */
static int
find_tasks(const struct target *t, int32_t pid, struct numbers *tasks)
{
    int error = 0;
    tasks->count = 0;
    if (t->kind == TARGET_COMMAND || t->kind == TARGET_CGROUP)
        numbers_add(tasks, t->kind == TARGET_COMMAND ? pid : t->cgroup_fd);
    else if (t->kind == TARGET_SYSTEM)
        numbers_add(tasks, EVERY_TASK);
    for (size_t i = 0; i < t->ids.count; i++)
        if (t->kind == TARGET_THREADS)
            numbers_add(tasks, t->ids.at[i]);
        else if (!procfs_threads(tasks, t->ids.at[i], tasks->count))
            error = errno;
    bool has_ended = error == ENOENT || error == ESRCH; /* one of several processes has ended */
    return tasks->count > 0 && has_ended ? 0 : error;
}

/* Return true if the machine lacks the counter. EINVAL may also mean that the folder is no
 * cgroup. */
static bool
is_unsupported(int error, const struct target *t)
{
    return error == ENOENT || error == ENODEV || error == ENXIO || error == EOPNOTSUPP ||
           (error == EINVAL && t->kind != TARGET_CGROUP);
}

/* The counters to open: for all tasks on all CPUs. */
struct opening {
    struct counting *c;
    const struct numbers *cpus;
    uint32_t *leaders; /* [task * CPUs + CPU]: leader of the current group there, or none */
    enum absence *absence;
};

/* Open the counter of an event for a task and a CPU. Return 0 or the errno. */
static int
add_counter(const struct opening *o, struct event *e, size_t task, size_t cpu)
{
    struct counting *c = o->c;
    uint32_t *leader = &o->leaders[task * o->cpus->count + cpu];
    int leads = *leader != none ? c->list[*leader].fd : -1;
    int fd = open_one(c, e, c->tasks.at[task], o->cpus->at[cpu], leads);
    if (fd < 0)
        return errno;
    uint32_t place = (uint32_t)(c->places == EACH_CPU ? cpu : c->places == EACH_THREAD ? task : 0);
    if (*leader == none)
        *leader = (uint32_t)c->count;
    MEM_ADD(c->list, c->count, c->cap,
            (struct counter){.fd = fd, .event = e->number, .place = place, .leader = *leader});
    return 0;
}

/* Close the counters from the index `from` on, which then are no leaders any more. */
static void
drop_counters(const struct opening *o, size_t from)
{
    for (size_t i = 0; i < o->c->tasks.count * o->cpus->count; i++)
        if (o->leaders[i] != none && o->leaders[i] >= from)
            o->leaders[i] = none;
    while (o->c->count > from)
        close(o->c->list[--o->c->count].fd);
}

/* Open the counters of an event. Return 0, or the errno if the program must end. */
static int
open_event(const struct opening *o, struct event *e)
{
    struct counting *c = o->c;
    size_t from = c->count, tasks = c->tasks.count;
    int error = 0;
    if (c->events->leaders[e->number] == e->number)
        for (size_t i = 0; i < tasks * o->cpus->count; i++)
            o->leaders[i] = none;
    for (size_t i = 0; i < tasks && error == 0; i++)
        for (size_t k = 0; k < o->cpus->count && error == 0; k++) {
            error = add_counter(o, e, i, k);
            if (error == ESRCH && tasks > 1) /* the thread may have ended */
                error = 0;
        }
    enum absence absence = is_unsupported(error, c->target) ? NOT_SUPPORTED
                           : error == EMFILE                ? LEFT_OUT
                                                            : COUNTED;
    if (error == 0 && c->count == from)
        error = ESRCH;
    if (error != 0)
        drop_counters(o, from);
    o->absence[e->number] = absence;
    return absence == COUNTED ? error : 0;
}

/* Link the counters of each group in the order in which they were opened: the kernel reads them in
 * that order. */
static void
link_groups(struct counting *c)
{
    uint32_t *last = mem_alloc((c->count + 1) * sizeof *last); /* by leader: of its group */
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t leader = c->list[i].leader;
        if (leader != i)
            c->list[last[leader]].next = i;
        last[leader] = i;
    }
    free(last);
}

bool
counting_open(struct counting *c, int32_t pid, enum absence *absence, struct diag *diag)
{
    enum { SPARE = 4 }; /* for looking at the processes while they are counted */
    const struct target *t = c->target;
    struct events *e = c->events;
    int32_t every[] = {EVERY_CPU}, named = t->ids.count > 0 ? t->ids.at[0] : pid;
    struct numbers any = {every, 1, 1};
    int spare[SPARE], error = find_tasks(t, pid, &c->tasks);
    struct refusal r = {error != 0 ? REFUSED_LIST : REFUSED_NOTHING, error, NULL, named};
    struct opening o = {c, !c->on_cpus && target_has_tasks(t) ? &any : &t->cpus, NULL, absence};
    for (int i = 0; i < SPARE; i++)
        spare[i] = dup(STDIN_FILENO);
    o.leaders = mem_alloc((c->tasks.count * o.cpus->count + 1) * sizeof *o.leaders);
    for (size_t i = 0; i < e->count && r.what == REFUSED_NOTHING; i++) {
        error = open_event(&o, &e->events[i]);
        if (error != 0)
            r = (struct refusal){REFUSED_COUNTER, error, &e->events[i], named};
    }
    for (int i = 0; i < SPARE; i++)
        if (spare[i] >= 0)
            close(spare[i]);
    free(o.leaders);
    link_groups(c);
    c->buffer = mem_alloc((3 + e->count) * sizeof *c->buffer);
    return r.what == REFUSED_NOTHING || refusal_report(&r, t, "count", diag);
}

size_t
counting_places(const struct counting *c)
{
    return c->places == EACH_CPU      ? c->target->cpus.count
           : c->places == EACH_THREAD ? c->tasks.count
                                      : 1;
}

/* Enabling a leader enables its group. */
static bool
control_all(const struct counting *c, bool enable)
{
    bool done = true;
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].leader == i)
            done &= (enable ? ioctl(c->list[i].fd, IOC_ENABLE, 0)
                            : ioctl(c->list[i].fd, IOC_DISABLE, 0)) == 0;
    return done;
}

bool
counting_enable(const struct counting *c)
{
    return control_all(c, true);
}

bool
counting_disable(const struct counting *c)
{
    return control_all(c, false);
}

/* Scale a value. Counters that share a register take turns: while a counter does not count, the
 * same rate is assumed. */
static double
scaled(double value, uint64_t enabled, uint64_t running)
{
    if (running == 0 || running >= enabled)
        return value;
    return value * (double)enabled / (double)running;
}

/* Add what the counter has counted since it was last read. */
static void
add_count(struct counter *counter, const uint64_t now[static 3], struct count *to)
{
    uint64_t enabled = now[1] - counter->last[1], running = now[2] - counter->last[2];
    to->value += scaled((double)(now[0] - counter->last[0]), enabled, running);
    to->enabled += enabled;
    to->running += running;
    memcpy(counter->last, now, sizeof counter->last);
}

/* Read the counters of a group at once: see perf_event_open(2), "Reading results":
 *
 *     value, enabled, running            of a counter without a group
 *     n, enabled, running, n values      of a group */
static bool
read_group(struct counting *c, uint32_t leader, struct count *counts, size_t places)
{
    uint64_t *got = c->buffer;
    bool grouped = is_grouped(c->events, c->list[leader].event);
    size_t size = (3 + (grouped ? c->events->count : 0)) * sizeof *got, i = 0;
    ssize_t len = read(c->list[leader].fd, got, size);
    if (len < (ssize_t)(3 * sizeof *got)) {
        errno = len < 0 ? errno : EIO;
        return false;
    }
    size_t values = (size_t)len / sizeof *got - 3, at = leader;
    do {
        struct counter *counter = &c->list[at];
        if (grouped && i == values)
            break;
        uint64_t now[] = {grouped ? got[3 + i++] : got[0], got[1], got[2]};
        add_count(counter, now, &counts[counter->event * places + counter->place]);
        at = counter->next;
    } while (at != 0);
    return true;
}

bool
counting_read(struct counting *c, struct count *counts)
{
    size_t places = counting_places(c);
    memset(counts, 0, c->events->count * places * sizeof *counts);
    bool done = true;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->list[i].leader == i)
            done &= read_group(c, i, counts, places);
    return done;
}

void
counting_close(struct counting *c)
{
    while (c->count > 0)
        close(c->list[--c->count].fd);
    free(c->list);
    free(c->buffer);
    free(c->tasks.at);
    c->list = NULL;
    c->buffer = NULL;
    c->cap = 0;
    c->tasks = (struct numbers){0};
}

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

/* Set what the parser leaves open. A period would make samples. */
static struct event
attributes(const struct event *event, const struct target *t)
{
    struct event e = *event;
    e.period = 0;
    e.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    event_set(&e, FLAG_DISABLED);
    if (t->kind == TARGET_PROCESSES || t->kind == TARGET_COMMAND)
        event_set(&e, FLAG_INHERIT);
    if (t->kind == TARGET_COMMAND)
        event_set(&e, FLAG_ENABLE_ON_EXEC);
    return e;
}

/* Open one counter. Where only the user's part may be counted, set that in *event too. */
static int
open_one(struct event *event, const struct target *t, int32_t task, int32_t cpu)
{
    unsigned flags = t->kind == TARGET_CGROUP ? COUNT_CGROUP : 0;
    struct event e = attributes(event, t);
    int fd = perfopen(&e, task, cpu, flags);
    if (fd < 0 && errno == EMFILE && perfopen_raise_limit())
        fd = perfopen(&e, task, cpu, flags);
    if (fd >= 0 || errno != EACCES || e.type == PERF_TYPE_TRACEPOINT ||
        event_flag(&e, FLAG_EXCLUDE_KERNEL))
        return fd;
    event_set(&e, FLAG_EXCLUDE_KERNEL);
    event_set(&e, FLAG_EXCLUDE_HV);
    fd = perfopen(&e, task, cpu, flags);
    if (fd >= 0) {
        event_set(event, FLAG_EXCLUDE_KERNEL);
        event_set(event, FLAG_EXCLUDE_HV);
    }
    return fd;
}

/* Set *tasks to those that have counters of their own. Return the errno if they cannot be listed. A
 * thread that a process starts while it is listed may be missing, as in perf's counts. */
static int
find_tasks(const struct target *t, int32_t pid, struct numbers *tasks)
{
    int error = 0;
    if (t->kind == TARGET_COMMAND || t->kind == TARGET_CGROUP)
        numbers_add(tasks, t->kind == TARGET_COMMAND ? pid : t->cgroup_fd);
    else if (t->kind == TARGET_SYSTEM)
        numbers_add(tasks, EVERY_TASK);
    for (size_t i = 0; i < t->ids.count; i++)
        if (t->kind == TARGET_THREADS)
            numbers_add(tasks, t->ids.at[i]);
        else if (!procfs_threads(tasks, t->ids.at[i], tasks->count))
            error = errno;
    return tasks->count > 0 ? 0 : error;
}

/* Return true if the machine does not have the counter. The wrong folder of a cgroup is invalid too. */
static bool
is_unsupported(int error, const struct target *t)
{
    return error == ENOENT || error == ENODEV || error == ENXIO || error == EOPNOTSUPP ||
           (error == EINVAL && t->kind != TARGET_CGROUP);
}

/* Open the counters of an event. Return the errno that ends the program, or 0. */
static int
open_event(struct counting *c, struct event *e, const struct target *t, const struct numbers *tasks,
           const struct numbers *cpus, enum absence *absence)
{
    size_t from = c->count;
    int error = 0;
    for (size_t i = 0; i < tasks->count && error == 0; i++)
        for (size_t k = 0; k < cpus->count && error == 0; k++) {
            int fd = open_one(e, t, tasks->at[i], cpus->at[k]);
            if (fd >= 0)
                MEM_ADD(c->list, c->count, c->cap, (struct counter){.fd = fd, .event = e->number});
            else if (errno != ESRCH || tasks->count == 1) /* a thread may have ended */
                error = errno;
        }
    *absence = is_unsupported(error, t) ? NOT_SUPPORTED : error == EMFILE ? LEFT_OUT : COUNTED;
    if (error == 0 && c->count == from)
        error = ESRCH;
    while (error != 0 && c->count > from)
        close(c->list[--c->count].fd);
    return *absence == COUNTED ? error : 0;
}

bool
counting_open(struct counting *c, struct event *events, size_t n, const struct target *t,
              bool on_cpus, int32_t pid, enum absence *absence, struct diag *diag)
{
    struct numbers tasks = {0}, any = {0};
    bool by_task = !on_cpus && target_has_tasks(t);
    int32_t named = t->ids.count > 0 ? t->ids.at[0] : pid;
    int error = find_tasks(t, pid, &tasks);
    struct refusal r = {error != 0 ? REFUSED_LIST : REFUSED_NOTHING, error, NULL, named};
    numbers_add(&any, EVERY_CPU);
    for (size_t i = 0; i < n && r.what == REFUSED_NOTHING; i++) {
        error = open_event(c, &events[i], t, &tasks, by_task ? &any : &t->cpus, &absence[i]);
        if (error != 0)
            r = (struct refusal){REFUSED_COUNTER, error, &events[i], named};
    }
    free(tasks.at);
    free(any.at);
    return r.what == REFUSED_NOTHING || refusal_report(&r, t, "count", diag);
}

void
counting_enable(const struct counting *c)
{
    for (size_t i = 0; i < c->count; i++)
        ioctl(c->list[i].fd, IOC_ENABLE, 0);
}

void
counting_disable(const struct counting *c)
{
    for (size_t i = 0; i < c->count; i++)
        ioctl(c->list[i].fd, IOC_DISABLE, 0);
}

/* Counters that share a register take turns: what was counted in a part of the time is taken for the
 * same in the rest. */
static double
scaled(double value, uint64_t enabled, uint64_t running)
{
    if (running == 0 || running >= enabled)
        return value;
    return value * (double)enabled / (double)running;
}

void
counting_read(struct counting *c, struct count *counts, size_t n)
{
    memset(counts, 0, n * sizeof *counts);
    for (size_t i = 0; i < c->count; i++) {
        struct counter *counter = &c->list[i];
        struct count *to = &counts[counter->event];
        uint64_t now[3]; /* see perf_event_open(2), "Reading results" */
        if (read(counter->fd, now, sizeof now) != (ssize_t)sizeof now)
            continue;
        uint64_t enabled = now[1] - counter->last[1], running = now[2] - counter->last[2];
        to->value += scaled((double)(now[0] - counter->last[0]), enabled, running);
        to->enabled += enabled;
        to->running += running;
        memcpy(counter->last, now, sizeof now);
    }
}

void
counting_close(struct counting *c)
{
    while (c->count > 0)
        close(c->list[--c->count].fd);
    free(c->list);
    *c = (struct counting){0};
}

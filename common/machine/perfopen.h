/* Opens counters of the kernel: perf_event_open(2). */
#ifndef MACHINE_PERFOPEN_H
#define MACHINE_PERFOPEN_H

#include "common/event/attr.h"

/* The task of a counter that is attached to a CPU only. */
enum { EVERY_TASK = -1 };

/* In `flags`: the task is the descriptor of a cgroup's directory (PERF_FLAG_PID_CGROUP). */
enum { COUNT_CGROUP = 1 << 2 };

/* Open a counter of an event for a task, or EVERY_TASK, on a CPU, or on all CPUs with -1. Return
 * its descriptor, which is closed on exec, or -1 with errno. */
int perfopen(const struct event *e, int32_t task, int32_t cpu, unsigned flags);

/* As perfopen, but put the counter into the group of an open counter, `leader`, of the same task
 * and CPU: both count at the same times. With -1, start a new group. */
int perfopen_member(const struct event *e, int32_t task, int32_t cpu, int leader, unsigned flags);

/* Try whether an event can be counted, without keeping the counter. Return 0 or the errno. */
int perfopen_try(const struct event *e, int32_t task, int32_t cpu, unsigned flags);

/* Try whether the event can be counted in this process in user mode, which needs the least
 * privileges. */
int perfopen_try_own(const struct event *e);

/* Raise the limit of open descriptors as far as an unprivileged process may. Return false if it was
 * already there. */
bool perfopen_raise_limit(void);

#endif

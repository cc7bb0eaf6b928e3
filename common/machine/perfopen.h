/* Opens counters of the kernel: perf_event_open(2). */
#ifndef MACHINE_PERFOPEN_H
#define MACHINE_PERFOPEN_H

#include "common/event/attr.h"

/* What a counter is attached to, beside a CPU. */
enum { EVERY_TASK = -1 };

/* flags: the task is the descriptor of a cgroup's directory (PERF_FLAG_PID_CGROUP). */
enum { COUNT_CGROUP = 1 << 2 };

/* Open a counter of an event: of a task or EVERY_TASK, on a CPU or, with -1, on all. Return its
 * descriptor, which is closed on exec, or -1 with errno. */
int perfopen(const struct event *e, int32_t task, int32_t cpu, unsigned flags);

/* As perfopen, for a member of the group of an open counter, the leader, with the same task and CPU:
 * both count at the same times. A leader of -1 starts a group. */
int perfopen_member(const struct event *e, int32_t task, int32_t cpu, int leader, unsigned flags);

/* Try whether an event can be counted, without keeping the counter. Return 0 or the errno. */
int perfopen_try(const struct event *e, int32_t task, int32_t cpu, unsigned flags);

/* Try whether the event can be counted in this process, in user mode, which needs the fewest rights. */
int perfopen_try_own(const struct event *e);

/* Raise the limit of descriptors as far as an unprivileged process may. Return false if it was
 * already. */
bool perfopen_raise_limit(void);

#endif

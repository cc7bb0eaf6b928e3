/* Counters: what perf_event_open(2) makes of events, tasks and CPUs, and the ring buffer of each
 * CPU that all its counters write to. A counter that child tasks inherit can write to a ring buffer
 * only if it is of one CPU; hence one for each task, CPU and event.
 *
 * Where all tasks are recorded, each CPU has a second ring buffer, for the records of what becomes
 * of processes: some processes change their name or their mappings a million times a second, and
 * the samples of others must not be lost for that. A command has them too, if the first ones are not
 * small: samples that fill a buffer must not keep out the records of the mappings, without which the
 * stacks of a whole process have no callers. */
#ifndef STACKRECORD_COUNTER_H
#define STACKRECORD_COUNTER_H

#include "cmd/stackrecord/capture/numbers.h"
#include "common/stage/sink.h"
#include "cmd/stackrecord/capture/ring.h"

/* What a counter is attached to, beside a CPU. */
enum { EVERY_TASK = -1 };

struct counters {
    struct counter {
        int fd;
        uint64_t id; /* in records */
        uint32_t event;
        uint32_t ring;
    } * list;
    size_t count;
    struct ring *rings; /* one for each CPU, by its place in cpus; then the second ones if any */
    size_t nrings;
    size_t sampled;     /* how many of them have samples: the first ones */
    uint64_t ring_size; /* bytes; set it before the first counter is opened, to a power of two */
    bool of_command;    /* what is recorded is a command; to be set as well */

    /* private */
    const struct session *session;
    const struct numbers *cpus;
    size_t cap;
    bool raised; /* the limit of descriptors */
};

/* Why the kernel refused. */
struct refusal {
    enum refused { REFUSED_NOTHING, REFUSED_COUNTER, REFUSED_RING, REFUSED_LIST } what;
    int error;                 /* errno */
    const struct event *event; /* of the counter */
    int32_t task;              /* its task, or EVERY_TASK */
};

/* Borrow the events and the CPUs. */
void counters_init(struct counters *c, const struct session *session, const struct numbers *cpus);

/* Try whether an event can be counted, without keeping the counter. `task` and `flags` are as for
 * counters_open. Return 0 or the errno. */
int counters_try(const struct event *e, int32_t task, int32_t cpu, unsigned flags);

/* Try whether the event can be counted in this process, in user mode, which needs the fewest rights. */
int counters_try_own(const struct event *e);

/* flags: the task is the descriptor of a cgroup's directory (PERF_FLAG_PID_CGROUP). */
enum { COUNT_CGROUP = 1 << 2 };

/* Open the counters of a task, or EVERY_TASK, on all CPUs, and attach the ring buffers. They do not
 * count yet. If the kernel refuses one, those of this call are closed again: what it refused is
 * returned. A task that has ended is ESRCH. A limit of descriptors is raised as far as permitted.
 */
struct refusal counters_open(struct counters *c, int32_t task, unsigned flags);

/* Return true if the limit of descriptors, raised as far as permitted, leaves as many as a
 * recording opens beside its counters. */
bool counters_leave_room(struct counters *c);

/* Start the counters list[from ...]; those of the ring buffers without samples only; stop all. What the
 * kernel refuses is ignored. */
void counters_enable(struct counters *c, size_t from);
void counters_enable_tasks(struct counters *c);
void counters_disable(struct counters *c);

/* Return how many samples found no room in the ring buffers, as the kernel counts them for each
 * counter; 0 for kernels before Linux 6.0. */
uint64_t counters_lost(const struct counters *c);

/* Close all counters and ring buffers. */
void counters_close(struct counters *c);

void counters_free(struct counters *c);

#endif

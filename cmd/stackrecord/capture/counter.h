/* Counters: the descriptors of perf_event_open(2), one for each event, task and CPU; and for each
 * CPU a ring buffer, to which all counters of the CPU write. A counter that child tasks inherit can
 * write to a ring buffer only if the counter is bound to one CPU; hence a counter for each CPU.
 *
 * When all tasks are recorded, each CPU has a second ring buffer, for exec, fork, mmap and exit
 * records: some processes change their name or their mappings a million times a second, and these
 * records must not displace the samples of other processes. When a command is recorded, each CPU
 * has a second ring buffer, too, unless the first ones are small: samples that fill a buffer must
 * not displace mmap records, without which the stacks of a whole process have no callers. */
#ifndef STACKRECORD_COUNTER_H
#define STACKRECORD_COUNTER_H

#include "cmd/stackrecord/capture/ring.h"
#include "common/machine/numbers.h"
#include "common/machine/perfopen.h"
#include "common/machine/refusal.h"
#include "common/stage/sink.h"

struct counters {
    struct counter {
        int fd;
        uint64_t id;    /* by which records name the counter */
        uint32_t event; /* index in session->events */
        uint32_t ring;  /* index in `rings` */
    } * list;
    size_t count;
    struct ring *rings; /* one for each of `cpus`, in their order; then the second ones, if any */
    size_t nrings;
    size_t sampled; /* number of ring buffers with samples, which come first in `rings` */
    /* Set these before the first counter is opened: */
    uint64_t ring_size; /* bytes, a power of two */
    const char *filter; /* the kernel's filter for tracepoints without their own; NULL: none */
    bool of_command;    /* a command is recorded */

    /* private */
    const struct session *session;
    const struct numbers *cpus;
    size_t cap;
};

/* Initialize. The events and the CPUs are borrowed. */
void counters_init(struct counters *c, const struct session *session, const struct numbers *cpus);

/* Open the counters of a task, or of EVERY_TASK, on all CPUs, and attach the ring buffers. `flags`
 * is as for perfopen. The counters are disabled at first. If the kernel refuses one, close those
 * that this call has opened, and return what was refused; the error is ESRCH if the task has ended.
 * If need be, raise the limit of descriptors as far as permitted. */
struct refusal counters_open(struct counters *c, int32_t task, unsigned flags);

/* Raise the limit of descriptors as far as permitted. Return true if it then leaves room for all
 * files that a recording opens besides its counters. */
bool counters_leave_room(struct counters *c);

/* Enable the counters from list[from] on. Ignore errors of the kernel. */
void counters_enable(struct counters *c, size_t from);

/* Enable only the counters of the second ring buffers, which report exec, fork, mmap and exit.
 * Ignore errors of the kernel. */
void counters_enable_tasks(struct counters *c);

/* Disable all counters. Ignore errors of the kernel. */
void counters_disable(struct counters *c);

/* Return the number of samples lost for want of room in the ring buffers: the sum of what the
 * kernel counts for each counter. Return 0 before Linux 6.0, which does not count them. */
uint64_t counters_lost(const struct counters *c);

/* Close all counters and ring buffers. */
void counters_close(struct counters *c);

void counters_free(struct counters *c);

#endif

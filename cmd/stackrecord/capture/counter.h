/* Counters: the descriptors of perf_event_open(2), for each event, task and CPU, and the ring
 * buffer of each CPU, to which all its counters write. A counter that child tasks inherit can write
 * to a ring buffer only if it is bound to one CPU; hence one counter for each task, CPU and event.
 *
 * When all tasks are recorded, each CPU has a second ring buffer, for exec, fork, mmap and exit
 * records: some processes change their name or their mappings a million times a second, and must
 * not displace the samples of others. When a command is recorded, the CPUs have them too, unless
 * the first buffers are small: samples that fill a buffer must not displace mmap records, without
 * which the stacks of a whole process have no callers. */
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
        uint64_t id; /* as in the records */
        uint32_t event;
        uint32_t ring;
    } * list;
    size_t count;
    struct ring *rings; /* indexed like cpus; then the second ones, if any */
    size_t nrings;
    size_t sampled;     /* number of rings with samples: the first ones */
    uint64_t ring_size; /* bytes, a power of two; set it before the first counter is opened */
    const char *filter; /* of tracepoints, for the kernel; NULL: none. Set it before likewise */
    bool of_command;    /* a command is recorded; set it before the first counter is opened */

    /* private */
    const struct session *session;
    const struct numbers *cpus;
    size_t cap;
};

/* Initialize. The events and the CPUs are borrowed. */
void counters_init(struct counters *c, const struct session *session, const struct numbers *cpus);

/* Open the counters of a task, or of EVERY_TASK, on all CPUs, and attach the ring buffers. `flags`
 * is as for perfopen. The counters are disabled at first. If the kernel refuses one, close those of this call again and
 * return what it refused; the error is ESRCH if the task has ended. Raise the limit of descriptors
 * as far as permitted if need be. */
struct refusal counters_open(struct counters *c, int32_t task, unsigned flags);

/* Raise the limit of descriptors as far as permitted. Return true if it then leaves room for all
 * files that a recording opens besides its counters. */
bool counters_leave_room(struct counters *c);

/* Enable the counters list[from ...]; or only those whose ring buffers have no samples. Disable
 * all. Errors of the kernel are ignored. */
void counters_enable(struct counters *c, size_t from);
void counters_enable_tasks(struct counters *c);
void counters_disable(struct counters *c);

/* Return the number of samples lost for want of room in the ring buffers, as the kernel counts them
 * for each counter; 0 before Linux 6.0. */
uint64_t counters_lost(const struct counters *c);

/* Close all counters and ring buffers. */
void counters_close(struct counters *c);

void counters_free(struct counters *c);

#endif

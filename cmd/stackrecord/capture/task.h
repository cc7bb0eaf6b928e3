/* Records that describe the tasks that ran before the recording: the kernel reports only changes
 * from then on. perf record does the same. The records have the kernel's layouts, with zeros in
 * sample_id: no time, no event. */
#ifndef STACKRECORD_TASK_H
#define STACKRECORD_TASK_H

#include "common/stage/sink.h"
#include "common/base/text.h"

struct tasks {
    struct rawsink *sink;          /* receives the records; borrowed */
    const struct eventset *events; /* borrowed */
    /* The errno of a file in /proc that could not be read. 0: none, or only files of ended
     * processes. */
    int error;
    /* Called once for a thousand threads and maps, since some processes have very many. Return true
     * to end the description. May be NULL. */
    bool (*pause)(void *ctx);
    void *ctx;

    /* private */
    size_t sent;
    struct text record, file;
};

/* Return `read`, which tells whether something was read from /proc. If not, store errno in
 * t->error, unless it means that the process has ended. */
bool tasks_was_read(struct tasks *t, bool read);

/* Send the names of a process and of its threads, and its executable maps. Call this when counters
 * already report changes, so that none is missed in between. Do nothing if the process has
 * ended. */
void tasks_process(struct tasks *t, int32_t pid);

/* Send the address ranges of the kernel and its modules. Without `exact`, if it takes long to find
 * the end of the kernel, it extends to the end of all addresses. If the kernel hides both
 * (kptr_restrict), it is the upper half of all addresses. */
void tasks_kernel(struct tasks *t, bool exact);

/* Send a record about records lost for want of room in the ring buffers, if the kernel has not
 * reported them: it does so when there is room again. */
void tasks_lost(struct tasks *t, uint64_t lost);

void tasks_free(struct tasks *t);

#endif

/* The tasks that run before a recording begins, as records: the kernel reports only what changes
 * from then on. perf record does the same. The records have the kernel's layouts, with zeros in
 * sample_id: no time, no event. */
#ifndef STACKRECORD_TASK_H
#define STACKRECORD_TASK_H

#include "common/stage/sink.h"
#include "common/base/text.h"

struct tasks {
    struct rawsink *sink;          /* takes the records; borrowed */
    const struct eventset *events; /* borrowed */
    /* Of a file of /proc that could not be read; 0: none, or only of processes that have ended. */
    int error;
    /* Called once in a thousand threads and maps, since some processes have very many. True ends
     * the description. NULL: nobody is called. */
    bool (*pause)(void *ctx);
    void *ctx;

    /* private */
    size_t sent;
    struct text record, file;
};

/* Return `read`, which says whether something was read from /proc. If it was not, keep errno in
 * t->error, unless that says that the process has ended. */
bool tasks_was_read(struct tasks *t, bool read);

/* Send the names of a process and of its threads, and its executable maps. To be called when
 * counters report changes already, so that none is missed in between. Do nothing for one that has
 * ended. */
void tasks_process(struct tasks *t, int32_t pid);

/* Send where the kernel and its modules lie. Without `exact`, where it takes long to find the
 * end of the kernel, it is said to be that of all addresses. Where the kernel hides both
 * (kptr_restrict), it is said to be the upper half of all addresses. */
void tasks_kernel(struct tasks *t, bool exact);

/* Send a record of records that found no room in the ring buffers, where the kernel did not report
 * them: it does so when there is room again. */
void tasks_lost(struct tasks *t, uint64_t lost);

void tasks_free(struct tasks *t);

#endif

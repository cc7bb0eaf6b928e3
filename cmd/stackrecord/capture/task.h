/* Records that describe the tasks that already run when the recording begins: the kernel itself
 * reports only later changes. perf record writes such records, too. They have the kernel's layouts,
 * and zeros in sample_id: no time, no event. */
#ifndef STACKRECORD_TASK_H
#define STACKRECORD_TASK_H

#include "common/stage/sink.h"
#include "common/base/text.h"

struct tasks {
    struct rawsink *sink;          /* receives the records; borrowed */
    const struct eventset *events; /* borrowed */
    /* The errno of a file in /proc that could not be read, other than a file of an ended process.
     * 0: there was none. */
    int error;
    /* Called once for every thousand threads and mappings, since some processes have very many.
     * Returns true to end the description of the process. May be NULL. */
    bool (*pause)(void *ctx);
    void *ctx;

    /* private */
    size_t sent;
    struct text record, file;
};

/* Note whether something could be read from /proc (`read`), and return that. If it could not, store
 * errno in t->error, unless errno means that the process has ended. */
bool tasks_was_read(struct tasks *t, bool read);

/* Send records of the names of a process and of its threads, and of its executable mappings. Call
 * this when the counters already report changes, so that no change is missed in between. Do nothing
 * if the process has ended. */
void tasks_process(struct tasks *t, int32_t pid);

/* Send records of the address ranges of the kernel and of its modules. If finding the end of the
 * kernel takes long, and `exact` is false, use the end of all addresses instead. If the kernel
 * hides its addresses (kptr_restrict), its range is the upper half of all addresses. */
void tasks_kernel(struct tasks *t, bool exact);

/* Send a record that says how many records were lost for want of room in the ring buffers. Use this
 * for lost records that the kernel has not reported: it reports them when there is room again. */
void tasks_lost(struct tasks *t, uint64_t lost);

void tasks_free(struct tasks *t);

#endif

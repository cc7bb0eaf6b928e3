/* The stacks of waiting threads, from /proc: see /proc/PID/syscall in proc(5). The kernel has no
 * sample of a thread that never ran while it was recorded, such as one in a deadlock.
 *
 *     struct laststack l = {&events, time, {0}, {0}};
 *     if (laststack_read(&l, pid, tid, &record))             for each thread
 *         use text_span(&record)
 *     laststack_free(&l)
 */
#ifndef STACKRECORD_LASTSTACK_H
#define STACKRECORD_LASTSTACK_H

#include "common/base/text.h"
#include "common/event/eventset.h"

struct laststack {
    const struct eventset *events; /* as attach.c sets them */
    uint64_t time;                 /* of the records: nanoseconds of the records' clock */

    /* private */
    struct text file, stack;
};

/* Set *record to an OWN_STACK record of the thread (ownrecord.h), with the user part of its stack,
 * if the events copy stacks. Return false for a thread that runs, has ended, or may not be
 * inspected.
 *
 * Reading memory of another user's process can take forever: it can be a file in that user's own
 * file system (FUSE). So the helper reads it (helper.h); errno is ETIMEDOUT if that took too
 * long. */
bool laststack_read(struct laststack *l, uint32_t pid, uint32_t tid, struct text *record);

void laststack_free(struct laststack *l);

#endif

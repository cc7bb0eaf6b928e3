/* The stacks of threads that wait, as /proc has them: see /proc/PID/syscall in proc(5). Of a thread
 * that never ran while it was recorded, such as one in a deadlock, the kernel has no sample.
 *
 *     struct laststacks l = {&events, &events.events[0], time, NULL, 0, 0};
 *     laststacks_add(&l, pid, tid);                              for each thread
 *     laststacks_read(&l, sink)                                  also frees it */
#ifndef STACKRECORD_LASTSTACK_H
#define STACKRECORD_LASTSTACK_H

#include "common/stage/sink.h"

struct laststacks {
    const struct eventset *events;
    const struct event *event; /* one of these, with the fields that attach.c gives to all */
    uint64_t time;             /* of the samples that are made: nanoseconds of the records' clock */

    /* private */
    struct laststack {
        uint32_t pid, tid;
    } * threads;
    size_t count, cap;
};

/* Add a thread. ctx: the struct laststacks. */
void laststacks_add(void *ctx, uint32_t pid, uint32_t tid);

/* Give the sink a sample of each thread, as the kernel would have written it but for
 * RECORD_MISC_FROM_PROC. It has the user part of the stack alone, and of the registers those
 * that /proc has: the others are 0. There is none of a thread that runs, has ended, or may not
 * be looked at.
 *
 * Memory of another user's process can take for ever to read: it can be a file in that user's
 * own file system (FUSE). So the helper reads it (helper.h), for half a second in all. Return
 * how many threads could not be read for that. */
size_t laststacks_read(struct laststacks *l, struct rawsink *sink);

#endif

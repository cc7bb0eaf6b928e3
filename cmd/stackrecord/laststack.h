/* The stack of a thread that waits, as /proc has it: see /proc/PID/syscall in proc(5). Of a thread that
 * never ran while it was recorded, such as one in a deadlock, the kernel has no sample. */
#ifndef STACKRECORD_LASTSTACK_H
#define STACKRECORD_LASTSTACK_H

#include "common/base/text.h"
#include "common/event/eventset.h"

/* A thread, and a sample that is to be made of it. */
struct laststack {
    const struct eventset *events;
    const struct event *event; /* one of these, with the fields that attach.c gives to all */
    uint64_t time;             /* nanoseconds of the records' clock */
    uint32_t pid, tid;
};

/* Set *record to the record of the sample, as the kernel would have written it but for
 * RECORD_MISC_FROM_PROC. It has the user part of the stack alone, and of the registers those that /proc
 * has: the others are 0. Return false if the thread runs, has ended, or may not be looked at. */
bool laststack_record(const struct laststack *s, struct text *record);

#endif

/* --trace: samples of system calls (stage/syscalls.h) as lines, as perf trace prints them:
 *
 *          0.000 ( 0.005 ms): cat/4242 read(fd: 3, buf: 0x7ffd7ad1c010, count: 4096)      = 512
 *
 * Milliseconds from the beginning of the first call that is printed, which one that returns later
 * may precede; how long the call took; the thread. */
#ifndef PERF_SCRIPT_TRACE_H
#define PERF_SCRIPT_TRACE_H

#include "common/base/out.h"
#include "common/base/text.h"
#include "common/stack/model/sample.h"

/* {.out = o} has written nothing. */
struct trace {
    struct out *out;
    uint64_t others; /* samples that are no system call with a thread and times: not written */

    /* private */
    struct text text;
    uint64_t origin; /* nanoseconds */
    bool began;
};

/* Write the sample, whose numbers were parsed. */
void trace_sample(struct trace *t, const struct sample *s);

void trace_free(struct trace *t);

#endif

/* --trace: samples of system calls (stage/syscalls.h) as lines, as perf trace prints them:
 *
 *          0.000 ( 0.005 ms): cat/4242 read(fd: 3, buf: 0x7ffd7ad1c010, count: 4096)      = 512
 *
 * The first number is when the call began, in milliseconds since the beginning of the first call
 * that is printed; it is negative for a call that began earlier but returned later. Then come the
 * duration of the call and its thread. */
#ifndef PERF_SCRIPT_TRACE_H
#define PERF_SCRIPT_TRACE_H

#include "common/base/out.h"
#include "common/base/text.h"
#include "common/stack/model/sample.h"

/* {.out = o} has written nothing. */
struct trace {
    struct out *out;
    uint64_t others; /* samples not written: no system call, or without a thread or times */

    /* private */
    struct text text;
    uint64_t origin; /* nanoseconds */
    bool began;
};

/* Write the sample, whose numbers were parsed. */
void trace_sample(struct trace *t, const struct sample *s);

void trace_free(struct trace *t);

#endif

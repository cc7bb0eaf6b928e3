/* The system calls of threads, added up by thread and call, from the samples of
 * stackrecord --syscalls:
 *
 *     node 4242/4242 [001] 812.345678:   1934 syscall: read(fd: 3, count: 4096) = -EAGAIN
 *
 * The period is nanoseconds. */
#ifndef STACKREPORT_CALLS_H
#define STACKREPORT_CALLS_H

#include "common/base/intern.h"
#include "common/base/out.h"
#include "common/base/text.h"
#include "common/base/vec.h"
#include "common/stack/model/sample.h"

struct call_sum {
    uint64_t count, failed, ns, longest;
};

/* {0} is empty. */
struct calls {
    uint64_t incomplete; /* samples of system calls without a thread, a period or a call */
    struct call_sum all;

    /* private */
    struct intern names, comms;
    struct intern threads; /* keys of `of_thread`: pid and tid */
    VEC(struct call_thread) of_thread;
    struct intern pairs; /* keys of `of_call`: numbers of the thread and of the name */
    VEC(struct call_row) of_call;
};

/* Return true for the header of a sample of a system call. */
bool calls_wants(const struct perf_header *h);

/* Add such a sample, whose numbers were parsed. */
void calls_add(struct calls *c, const struct perf_header *h);

/* Write a table for each thread, that with the longest time first, with at most `top` calls; 0:
 * all. */
void calls_write(const struct calls *c, struct out *o, size_t top);

void calls_free(struct calls *c);

#endif

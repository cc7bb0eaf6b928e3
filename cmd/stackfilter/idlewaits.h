/* Finds waits for work in the samples of stackrecord --off-cpu and --wall: the waits of idle
 * threads, such as those of a pool, but never of a process's first thread. A wait is one for work
 * if it is
 *
 *     - a sleep that ends by a signal (state S), so not for a disk or a CPU,
 *     - in epoll_wait, accept, or a wait for a condition variable or semaphore that was called by a
 *       function with a name,
 *     - and not below a function whose name says that it waits for a lock or for other threads;
 *
 * or, with --wall, if it is the time before the thread first ran, whose stack is unknown.
 *
 * If the kernel gives no stacks of waits, as without root, the waits of these threads cannot be
 * distinguished from waits for work. They are left out too, and counted separately. */
#ifndef STACKFILTER_IDLEWAITS_H
#define STACKFILTER_IDLEWAITS_H

#include "common/base/diag.h"
#include "common/base/intern.h"
#include "common/base/pattern.h"
#include "common/base/text.h"
#include "common/stack/model/sample.h"

struct idlewaits {
    /* private */
    const struct frametab *frames;
    struct pattern waits, locks;
    unsigned char *flags; /* by frame number */
    size_t cap;
    uint64_t waited; /* microseconds, of all threads */
    bool has_pids;   /* some wait has a process id */
    struct idlewaits_part {
        struct intern ids; /* "pid/tid" */
        uint64_t time;     /* microseconds */
    } for_work, unknown;
};

/* Borrow the table of the samples' frames, which must keep their numbers. */
void idlewaits_init(struct idlewaits *t, const struct frametab *frames);

/* Return true if the sample must be left out: it is a wait for work, or one that cannot be
 * distinguished from a wait for work. Call this once for each sample, since it counts them. */
bool idlewaits_has(struct idlewaits *t, const struct sample *sample);

/* Print a note: the number of threads whose waits were left out, and the sum of these waits. */
void idlewaits_report(const struct idlewaits *t, struct diag *diag);

#endif

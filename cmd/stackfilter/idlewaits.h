/* The waits for work of a process's threads but the first, such as those of a pool, among what
 * stackrecord --off-cpu or --wall has recorded. A wait is one for work if it is
 *
 *     - a sleep that ends by a signal (state S), so not for a disk or a CPU,
 *     - in epoll_wait, accept, or a wait for a condition variable or semaphore, for which a function
 *       with a name has called,
 *     - and not below a function whose name says that it waits for a lock or for other threads;
 *
 * or, of --wall, the time before the thread has run for the first time, whose stack is not known. */
#ifndef STACKFILTER_IDLEWAITS_H
#define STACKFILTER_IDLEWAITS_H

#include "common/base/diag.h"
#include "common/base/intern.h"
#include "common/base/pattern.h"
#include "common/base/text.h"
#include "common/stack/sample.h"

struct idlewaits {
    /* private */
    const struct frametab *frames;
    struct pattern waits, locks;
    unsigned char *flags; /* by frame number */
    size_t cap;
    struct intern ids;         /* "pid/tid" of those who waited for work */
    uint64_t waited, for_work; /* microseconds, of all threads */
    struct text key;
};

/* Borrows the table of the samples' frames, which must keep their numbers. */
void idlewaits_init(struct idlewaits *t, const struct frametab *frames);

/* Return true if the sample is a wait for work, to be left out. Each is to be given once. */
bool idlewaits_has(struct idlewaits *t, const struct sample *sample);

/* Say in a note how many threads waited for work, and how long. */
void idlewaits_report(const struct idlewaits *t, struct diag *diag);

#endif

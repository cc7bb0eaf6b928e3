/* The threads that only waited for work while stackrecord --off-cpu or --wall recorded them, such as
 * those of a pool. What they did when work came stays, and how long they waited for a CPU. Each of
 * their other waits, but for a hundredth of the time, is
 *
 *     - a sleep that ends by a signal (state S), so not for a disk,
 *     - in epoll_wait, accept, or a wait for a condition variable or semaphore, for which a function
 *       with a name has called,
 *     - and not below a function whose name says that it waits for a lock or for other threads.
 *
 * or, of --wall, the time before the thread has run for the first time, whose stack is not known.
 *
 * The first thread of a process is none of them, so that no process vanishes. */
#ifndef STACKFILTER_IDLETHREADS_H
#define STACKFILTER_IDLETHREADS_H

#include "common/base/input.h"
#include "common/base/intern.h"
#include "common/stack/sample.h"

/* Of a thread, in microseconds. */
struct idlethread {
    uint64_t waited, for_work;
};

/* {0} has none. */
struct idlethreads {
    /* private */
    struct intern ids;        /* "pid/tid" */
    struct idlethread *times; /* by number of `ids` */
    size_t cap;
    bool all; /* all that was recorded is of such threads: then they are not left out */
    struct text key;
};

/* Read the files, which are read again afterwards; standard input, if it is no file, is copied to a
 * temporary one, which takes its place. Say in a note how many of these threads there are, and how
 * long they waited. Return false, after a message, if a file cannot be read twice. */
bool idlethreads_find(struct idlethreads *t, char **names, size_t count, struct diag *diag);

/* Return true if the sample with that header is a wait of such a thread, to be left out. */
bool idlethreads_has(struct idlethreads *t, const struct perf_header *h);

void idlethreads_free(struct idlethreads *t);

#endif

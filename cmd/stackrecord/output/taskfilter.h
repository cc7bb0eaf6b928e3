/* Keeps the records of some processes or threads, and of what they start, where all had to be
 * recorded: a counter for each thread and CPU would have needed too many open files. */
#ifndef STACKRECORD_TASKFILTER_H
#define STACKRECORD_TASKFILTER_H

#include "cmd/stackrecord/capture/numbers.h"
#include "cmd/stackrecord/output/sink.h"
#include "common/base/intern.h"

struct taskfilter {
    struct recordsink sink;
    bool ended; /* none of them runs any more */

    /* private from here */
    struct recordsink *to;
    struct intern kept; /* pids or tids, as bytes */
    struct numbers running;
    bool threads;
};

/* Pass on the samples and switches of these processes and their children, or if `threads` of these threads
 * alone, and all other records. */
void taskfilter_init(struct taskfilter *f, const struct numbers *ids, bool threads,
                     struct recordsink *to);

#endif

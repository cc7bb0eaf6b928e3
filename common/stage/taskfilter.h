/* Keeps the records of some processes or threads, and of what they start, where all had to be
 * recorded: a counter for each thread and CPU would have needed too many open files. */
#ifndef STAGE_TASKFILTER_H
#define STAGE_TASKFILTER_H

#include "common/stage/sink.h"
#include "common/base/intern.h"

struct taskfilter {
    struct recordsink sink;
    /* Called with each process or thread that is kept. NULL: nobody is. To be set by the caller. */
    void (*notice)(void *ctx, uint32_t id);
    void *ctx;

    /* private from here */
    struct intern kept; /* pids or tids, as bytes */
    bool threads;
};

/* Pass on the samples and switches of the processes that are kept and of their children, or if `threads`
 * of the threads that are kept alone, and all other records. */
void taskfilter_init(struct taskfilter *f, bool threads, struct recordsink *to);

void taskfilter_keep(struct taskfilter *f, uint32_t id);

#endif

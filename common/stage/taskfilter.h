/* Keeps the records of the wanted processes or threads and of everything that these start. It is
 * used if the whole machine is recorded because a counter for each thread and CPU would need too
 * many open files. */
#ifndef STAGE_TASKFILTER_H
#define STAGE_TASKFILTER_H

#include "common/stage/sink.h"
#include "common/base/intern.h"

struct taskfilter {
    struct recordsink sink;
    /* Called with the id of each process or thread that is kept. Set by the caller, or NULL. */
    void (*notice)(void *ctx, uint32_t id);
    void *ctx;

    /* private from here */
    struct intern kept; /* pids or tids, as bytes */
    bool threads;
};

/* Set up the filter. It passes on the samples and switches of the kept processes and of their
 * children, or with `threads` those of the kept threads alone; and all records of other types. */
void taskfilter_init(struct taskfilter *f, bool threads, struct recordsink *to);

/* Keep the process, or with `threads` the thread, with this id. */
void taskfilter_keep(struct taskfilter *f, uint32_t id);

#endif

/* Drops the samples and switches of all processes but the wanted ones and their descendants, or of
 * all threads but the wanted ones. It is used if one counter for each wanted thread and CPU would
 * need too many open files: the recorder then records the whole machine. */
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

/* Set up the filter, which passes records on to `to`; borrow that. If `threads` is false, it passes
 * on the samples and switches of the kept processes and of all processes that these start; if it is
 * true, only those of the kept threads. Records of other types are always passed on. */
void taskfilter_init(struct taskfilter *f, bool threads, struct recordsink *to);

/* Keep the process with this id or, if `threads` is true, the thread with this id. */
void taskfilter_keep(struct taskfilter *f, uint32_t id);

#endif

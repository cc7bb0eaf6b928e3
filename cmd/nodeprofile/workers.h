/* Profiles the worker threads of a Node process. Each has its own inspector, reached through that
 * of the main thread: see Node's protocol domain NodeWorker. */
#ifndef NODEPROFILE_WORKERS_H
#define NODEPROFILE_WORKERS_H

#include "cmd/nodeprofile/inspector.h"

struct worker {
    struct text session; /* Node's id of it, escaped as in a JSON string, without the quotes */
    struct text name;    /* "worker 1: app.js", escaped in the same way */
    struct text answer;  /* contains the profile */
    struct span profile; /* as V8 writes it */
    bool answered;
};

struct workers {
    struct inspector *inspector;
    const struct inspector_profile *kind;
    const char *parameters; /* of the methods that begin a profile, in JSON */
    bool stopping;          /* the profiles were requested */
    bool deaf;              /* the process accepts no more requests */
    struct worker *list;
    size_t n, cap;
    size_t left_out; /* workers whose profile did not come */
    size_t size;     /* of the answers, in bytes */
};

/* Start profiling all workers, including those that begin later. Borrow all. The inspector passes
 * its events to w from now on. Return NULL, or why that failed. */
const char *workers_start(struct workers *w, struct inspector *i,
                          const struct inspector_profile *kind, const char *parameters,
                          uint64_t until);

/* Ask the workers for their profiles. */
void workers_stop(struct workers *w);

/* Wait for the profiles until the time `until`, or until no message has come for `patience`
 * nanoseconds. The list then has only workers with a profile. */
void workers_wait(struct workers *w, uint64_t until, uint64_t patience);

void workers_free(struct workers *w);

#endif

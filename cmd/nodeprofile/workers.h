/* The threads of worker_threads in a Node process. Each has an inspector of its own, with which that
 * of the main thread exchanges messages: Node's domain NodeWorker. */
#ifndef NODEPROFILE_WORKERS_H
#define NODEPROFILE_WORKERS_H

#include "cmd/nodeprofile/inspector.h"

struct worker {
    struct text session; /* by which Node knows it, as JSON has it between the quotes */
    struct text name;    /* "worker 1: app.js", likewise */
    struct text answer;  /* in which the profile is */
    struct span profile; /* as V8 writes it */
    bool answered;
};

struct workers {
    struct inspector *inspector;
    const struct inspector_profile *kind;
    const char *parameters; /* of the methods that begin a profile, in JSON */
    bool stopping;          /* their profiles were asked for */
    bool deaf;              /* the process takes no more requests */
    struct worker *list;
    size_t n, cap;
    size_t left_out; /* workers whose profile did not come */
    size_t size;     /* of the answers, in bytes */
};

/* Have the profiles of all workers taken, also of those that begin later. The inspector, which is
 * borrowed like the rest, passes its events to w from now on. Return NULL, or why that failed. */
const char *workers_start(struct workers *w, struct inspector *i,
                          const struct inspector_profile *kind, const char *parameters,
                          uint64_t until);

/* Ask the workers for their profiles. */
void workers_stop(struct workers *w);

/* Wait for the profiles until the time is over, or no message comes for `patience` nanoseconds. Then
 * the list has those workers whose profile is there. */
void workers_wait(struct workers *w, uint64_t until, uint64_t patience);

void workers_free(struct workers *w);

#endif

/* Sorts the events of a trace by thread and time in bounded memory: what does not fit is written to
 * a temporary file in sorted runs, which are merged. */
#ifndef STACKCOLLAPSE_TRACESORT_H
#define STACKCOLLAPSE_TRACESORT_H

#include "cmd/stackcollapse/tracelog.h"

/* {0} is an empty one. */
struct tracesort {
    struct tracelog *logs; /* by thread; most are sorted already */
    size_t nlogs, logs_cap;
    size_t log_bytes; /* of them all */
    size_t log;       /* read by tracesort_next */
    bool in_runs;     /* there is more than the logs may hold */
    struct trace_event *events, *sorted;
    size_t n,
        cap;   /* events of the run that is not yet written, or of the log that had to be sorted */
    size_t at; /* given by tracesort_next */
    struct trace_run *runs;
    size_t nruns, runs_cap;
    size_t *heap; /* of runs, the one with the first event at the top */
    size_t nheap;
    int fd;    /* of the temporary file, if there are runs */
    int error; /* errno of the temporary file; events are lost then */
};

void tracesort_add(struct tracesort *t, struct trace_event e);

/* Ends the adding. */
void tracesort_start(struct tracesort *t);

/* Gives the next event: by thread, then by start, then in the order in which they were added. False
 * at the end. */
bool tracesort_next(struct tracesort *t, struct trace_event *e);

void tracesort_free(struct tracesort *t);

#endif

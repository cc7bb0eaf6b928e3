/* Stores the events of one thread of a trace, mostly in six or ten bytes each, and gives them back
 * in the same order. */
#ifndef STACKCOLLAPSE_TRACELOG_H
#define STACKCOLLAPSE_TRACELOG_H

#include <stdint.h>

#include "common/base/text.h"

struct trace_event {
    double start, duration; /* microseconds */
    uint32_t name, thread;  /* numbers, from 0 */
};

/* In place of a duration: the event begins here and ends where the thread's next one of the second
 * kind says; durations of whole events are not negative. */
#define TRACE_BEGIN (-1.0)
#define TRACE_END   (-2.0)

/* {0} is an empty one. */
struct tracelog {
    struct text bytes;
    size_t n;      /* events added, and not yet given */
    bool unsorted; /* some event starts before the one that was added before it */
    double last;   /* start of the event added last */
    int64_t time;  /* nanoseconds: start of the event written or read last */
    size_t at;     /* of the bytes, the next to be read */
};

/* Appends an event, exactly. Its thread is not kept. */
void tracelog_add(struct tracelog *log, const struct trace_event *e);

/* Ends the adding. */
void tracelog_start(struct tracelog *log);

/* Gives the event added first that was not yet given; its thread is not set. There is one. */
void tracelog_next(struct tracelog *log, struct trace_event *e);

void tracelog_free(struct tracelog *log);

#endif

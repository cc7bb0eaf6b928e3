/* The events of a trace, by thread and time. */
#ifndef STACKCOLLAPSE_TRACEEVENTS_H
#define STACKCOLLAPSE_TRACEEVENTS_H

#include <stddef.h>
#include <stdint.h>

struct trace_event {
    double start, duration; /* microseconds */
    uint32_t name, thread;  /* numbers, from 0 */
    size_t order;           /* set by traceevents_add */
};

/* In place of a duration, which is not negative: the event begins here, and the thread's next
 * TRACE_END that is not taken by an event in it ends it. */
#define TRACE_BEGIN (-1.0)
#define TRACE_END   (-2.0)

/* {0} is an empty one; the owner frees `events`. */
struct traceevents {
    struct trace_event *events;
    size_t n, cap;
};

void traceevents_add(struct traceevents *t, struct trace_event e);

/* Sorts by thread, then by start, then in the order in which they were added. */
void traceevents_sort(struct traceevents *t);

#endif

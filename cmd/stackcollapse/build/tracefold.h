/* Makes stacks from the events of a trace, which are sorted, one thread after the other. */
#ifndef STACKCOLLAPSE_TRACEFOLD_H
#define STACKCOLLAPSE_TRACEFOLD_H

#include "cmd/stackcollapse/build/traceevents.h"
#include "common/base/intern.h"
#include "common/base/out.h"
#include "common/stack/profile.h"

/* At most so many events are open at once: a trace whose events all overlap would otherwise need
 * memory by the square of its length. Chromium's own events are within some hundred others. */
enum { TRACE_DEEPEST = 1000 };

/* The largest time or duration in microseconds, either way: 126 years. */
#define TRACE_MOST 4e15

/* Events that are not what they should be. */
struct trace_odd {
    uint64_t begins, ends; /* without a partner */
    uint64_t deep;         /* within TRACE_DEEPEST others: left out, their time is their caller's */
};

/* Adds the self time of each event to the profile, in microseconds to the nanosecond. An event's
 * name is one of the profile's, and its times are within TRACE_MOST. An event that begins and does
 * not end is taken to end with the last event of its thread. */
struct trace_odd tracefold_profile(const struct traceevents *events, struct profile *profile);

/* Writes the stacks and times that stackcollapse-chrome-tracing.py prints, with its floating-point
 * arithmetic and in its order. An event's name is a number of `names`. */
void tracefold_script(const struct traceevents *events, const struct intern *names,
                      struct out *out);

#endif

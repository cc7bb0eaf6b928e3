/* Makes stacks from the events of a trace, one thread after the other. */
#ifndef STACKCOLLAPSE_TRACEFOLD_H
#define STACKCOLLAPSE_TRACEFOLD_H

#include "cmd/stackcollapse/tracesort.h"
#include "common/base/intern.h"
#include "common/base/out.h"
#include "common/stack/profile.h"

/* Events without a partner. */
struct trace_lone {
    uint64_t begins, ends;
};

/* Adds the self time of each event to the profile, in microseconds to the nanosecond. An event's
 * name is one of the profile's. An event that begins and does not end is taken to end with the
 * last event of its thread. */
struct trace_lone tracefold_profile(struct tracesort *events, struct profile *profile);

/* Writes the stacks and times that stackcollapse-chrome-tracing.py prints, with its floating-point
 * arithmetic and in its order. An event's name is a number of `names`. */
void tracefold_script(struct tracesort *events, const struct intern *names, struct out *out);

#endif

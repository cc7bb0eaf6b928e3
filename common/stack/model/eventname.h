/* Names of events on machines with several kinds of cores. */
#ifndef STACK_EVENTNAME_H
#define STACK_EVENTNAME_H

#include <stdbool.h>

#include "common/base/span.h"

/* Return true if both are the same event on different kinds of cores: "cpu_core/cycles/" and
 * "cpu_atom/cycles/". Each kind of core counts only what runs on it, so the total is the sum of
 * both. Return false for equal names. */
bool eventname_is_core_variant(struct span a, struct span b);

/* Return true for the event of stackrecord --turns. Its samples report the length of a turn of an
 * event loop (turns.h). They have no stacks, and do not count. */
static inline bool
eventname_is_turn(struct span event)
{
    return span_eq(event, SPAN("turn"));
}

#endif

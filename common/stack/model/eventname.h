/* Events of machines with several kinds of cores. */
#ifndef STACK_EVENTNAME_H
#define STACK_EVENTNAME_H

#include <stdbool.h>

#include "common/base/span.h"

/* Return true if both are one event on different kinds of cores: "cpu_core/cycles/" and
 * "cpu_atom/cycles/". Each kind of core counts only what runs on it, so the whole is the sum of
 * both. False for equal names. */
bool eventname_is_kin(struct span a, struct span b);

/* Return true for the event of stackrecord --turns: its samples say how long a turn of an event
 * loop was (turns.h). They are no stacks, and count nothing. */
static inline bool
eventname_is_turn(struct span event)
{
    return span_eq(event, SPAN("turn"));
}

#endif

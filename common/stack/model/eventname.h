/* Events of machines with several kinds of cores. */
#ifndef STACK_EVENTNAME_H
#define STACK_EVENTNAME_H

#include <stdbool.h>

#include "common/base/span.h"

/* Return true if both are one event on different kinds of cores: "cpu_core/cycles/" and
 * "cpu_atom/cycles/". Each kind of core counts only what runs on it, so the whole is the sum of
 * both. False for equal names. */
bool eventname_is_kin(struct span a, struct span b);

#endif

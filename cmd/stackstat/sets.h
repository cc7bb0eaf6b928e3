/* The events that perf stat counts by default, and its sets of cache events. */
#ifndef STACKSTAT_SETS_H
#define STACKSTAT_SETS_H

#include "cmd/stackstat/options.h"

/* Add the default events if none are named, and the sets of -d, -dd or -ddd. Return NULL, or a
 * message of events_parse(). */
const char *sets_add(struct options *o);

#endif

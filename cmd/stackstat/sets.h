/* The events that perf stat counts if none are named, and its sets of cache events. */
#ifndef STACKSTAT_SETS_H
#define STACKSTAT_SETS_H

#include "cmd/stackstat/options.h"

/* Add the usual events if there are none, and those of -d, -dd and -ddd. Return NULL, or what is
 * wrong, as events_parse() does. */
const char *sets_add(struct options *o);

#endif

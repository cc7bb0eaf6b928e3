/* Where the perf map of a process is. */
#ifndef SYMBOLIZE_MAPPATH_H
#define SYMBOLIZE_MAPPATH_H

#include "common/base/mem.h"

/* The path, in the arena. A process in a container that still runs has its map in its own /tmp, and
 * named by its number there: "/proc/4242/root/tmp/perf-7.map"; any other "/tmp/perf-4242.map",
 * whether or not that exists. */
const char *mappath(struct arena *a, struct span pid);

#endif

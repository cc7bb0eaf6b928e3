/* Finds the perf map of a running process. */
#ifndef SYMBOLIZE_FINDMAP_H
#define SYMBOLIZE_FINDMAP_H

#include <stdint.h>

/* Opens the process's perf map: in its own /tmp, and named by the number that the process has in
 * its own pid namespace. Once it has ended, /tmp/perf-PID.map. A file that was last written before
 * the process began is another's, and passed over; `age` is the time since then in nanoseconds, for
 * a process that has ended. Returns a descriptor, or -1 if there is none. */
int findmap_open(int32_t pid, uint64_t age);

#endif

/* Finds the perf map of a process. */
#ifndef SYMBOLIZE_FINDMAP_H
#define SYMBOLIZE_FINDMAP_H

#include "common/base/regular.h"

enum { FINDMAP_PATH = 64 };

/* What was found. */
struct findmap {
    struct regular_file file; /* the map, if it was opened; the caller closes it */
    char path[FINDMAP_PATH];
    const char *problem; /* why it was not opened; NULL: it was, or there is none */
    bool silent;         /* the process's file system does not answer (helper.h) */
};

/* In place of an age: the process may have ended long ago, and its map is as old. */
#define FINDMAP_ANY_AGE UINT64_MAX

/* Open the process's perf map: in its own /tmp, and named by the number that the process has in
 * its own pid namespace, as "/proc/4242/root/tmp/perf-7.map"; else /tmp/perf-4242.map, which is
 * also where one looks once it has ended. A file that was last written before the process began is
 * another's, and passed over; `age` is the time since then in nanoseconds. `owners` are those of
 * procroot_owners() when the process ran; NULL: not known. Return false if there is none. */
bool findmap_open(int32_t pid, const struct regular_owners *owners, uint64_t age,
                  struct findmap *found);

#endif

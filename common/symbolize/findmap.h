/* Finds the perf map of a process, or its jitdump. */
#ifndef SYMBOLIZE_FINDMAP_H
#define SYMBOLIZE_FINDMAP_H

#include "common/base/regular.h"

enum { FINDMAP_PATH = 64 };

/* What was found. */
struct findmap {
    struct regular_file file; /* the map; the caller closes it. fd -1: none was opened */
    char path[FINDMAP_PATH];  /* path of the map that was opened, or that has the problem */
    const char *problem;      /* why a map was not opened; NULL: it was, or there is none */
    bool silent;              /* the process's file system does not answer (helper.h) */
};

/* Open the perf map of a process. Search its own /tmp for the pid in its own pid namespace, such as
 * "/proc/4242/root/tmp/perf-7.map"; then, or if the process has ended, /tmp/perf-4242.map. Return
 * false if there is none. If the process has ended, `owners` are those that procroot_owners() gave
 * while it ran; NULL if unknown. */
bool findmap_open(int32_t pid, const struct regular_owners *owners, struct findmap *found);

/* Open the jitdump that a process has mapped by this path. If the process runs, look up the path in
 * its root folder. `owners` are as for findmap_open. Return NULL, or what is wrong. */
const char *findmap_open_dump(int32_t pid, const struct regular_owners *owners, const char *path,
                              struct regular_file *file);

#endif

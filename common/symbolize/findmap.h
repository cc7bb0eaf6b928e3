/* Finds the perf map of a process, or its jitdump. */
#ifndef SYMBOLIZE_FINDMAP_H
#define SYMBOLIZE_FINDMAP_H

#include "common/base/regular.h"

enum { FINDMAP_PATH = 64 };

/* What was found. */
struct findmap {
    struct regular_file file; /* the map; the caller closes it. fd -1: none was opened */
    char path[FINDMAP_PATH];  /* path of the map that was opened, or that has the problem */
    const char *problem;      /* why an existing map was not opened; NULL: there is no such map */
    bool silent;              /* the process's file system does not answer (helper.h) */
};

/* Open the perf map of a process. If the process runs in a container, first try the /tmp of its
 * root folder and its pid there, such as "/proc/4242/root/tmp/perf-7.map". If that fails, and for
 * all other processes, try /tmp/perf-4242.map. Return false if neither could be opened. `owners` is
 * used if the process has ended: the users who may own its map, as procroot_owners() found them
 * while it ran; NULL if unknown. */
bool findmap_open(int32_t pid, const struct regular_owners *owners, struct findmap *found);

/* Open the jitdump that a process has mapped by this path. If the process runs, look up the path in
 * its root folder. `owners`: the users who may own the file; NULL: any user. Return NULL, or what
 * is wrong. */
const char *findmap_open_dump(int32_t pid, const struct regular_owners *owners, const char *path,
                              struct regular_file *file);

#endif

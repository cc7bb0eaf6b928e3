/* Finds the perf map of a process, or its jitdump. */
#ifndef SYMBOLIZE_FINDMAP_H
#define SYMBOLIZE_FINDMAP_H

#include "common/base/regular.h"

enum { FINDMAP_PATH = 64 };

/* What was found. */
struct findmap {
    struct regular_file file; /* the map; the caller closes it. fd -1: none was opened */
    char path[FINDMAP_PATH];  /* of that, or of the map with the problem */
    const char *problem;      /* why a map was not opened; NULL: it was, or there is none */
    bool silent;              /* the process's file system does not answer (helper.h) */
};

/* Open the perf map of a process: in its own /tmp, named after its pid in its own pid namespace, as
 * "/proc/4242/root/tmp/perf-7.map"; else, or if it has ended, /tmp/perf-4242.map. Return false if
 * there is none. If the process has ended, `owners` are those of procroot_owners() while it ran;
 * NULL: not known. */
bool findmap_open(int32_t pid, const struct regular_owners *owners, struct findmap *found);

/* Open the jitdump that a process has mapped by that path, which is looked up in the root folder of
 * the process, if that runs. `owners` are as above. Return NULL, or what is wrong. */
const char *findmap_open_dump(int32_t pid, const struct regular_owners *owners, const char *path,
                              struct regular_file *file);

#endif

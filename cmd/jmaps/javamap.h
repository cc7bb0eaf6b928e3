/* The perf map of a Java process. */
#ifndef JMAPS_JAVAMAP_H
#define JMAPS_JAVAMAP_H

#include <stdbool.h>

#include "cmd/jmaps/javaprocess.h"

/* Opens a map that the process has written, as perfmap_open does: no link, no other user's file.
 * -1, with what is wrong in *problem. */
int javamap_open(const char *path, const struct javaprocess *p, const char **problem);

/* Gives an open map to root, and lets nobody else write it. False: see errno. */
bool javamap_give_to_root(int fd);

struct javamap_size {
    size_t lines, words, bytes;
};

/* Counts as wc(1) does, at most PERFMAP_MAX bytes. */
struct javamap_size javamap_size(int fd);

#endif

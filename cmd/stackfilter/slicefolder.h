/* Expands operands that are folders of stackrecord --archive to their files with stacks of a time
 * range. A recorder that still runs merges such files into others and removes them, so they are
 * opened at once: a file that is listed and then gone would be missing, or be read twice. */
#ifndef STACKFILTER_SLICEFOLDER_H
#define STACKFILTER_SLICEFOLDER_H

#include "cmd/stackfilter/timerange.h"
#include "common/base/diag.h"
#include "common/base/vec.h"

/* Names of files, and for each its descriptor, or -1 if it is not open. The names of files in
 * folders are in the arena. */
struct slicefolder_names {
    VEC(char *) list;
    VEC(int) opened;
    struct arena arena;
};

/* Add an operand. If it is a folder, add its files that may have stacks of the range, in order,
 * judged by their names alone; warn if there are none. They are open, as far as the limit on open
 * files permits. */
void slicefolder_add(struct slicefolder_names *names, char *operand, const struct timerange *range,
                     struct diag *diag);

#endif

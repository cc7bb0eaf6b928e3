/* Expands operands that are folders of stackrecord --archive to their files with stacks of a time
 * range. */
#ifndef STACKFILTER_SLICEFOLDER_H
#define STACKFILTER_SLICEFOLDER_H

#include "cmd/stackfilter/timerange.h"
#include "common/base/diag.h"
#include "common/base/vec.h"

/* Names of files; the names of files in folders are in the arena. */
struct slicefolder_names {
    VEC(char *) list;
    struct arena arena;
};

/* Add an operand. If it is a folder, add its files that may have stacks of the range, in order,
 * judged by their names alone; warn if there are none. */
void slicefolder_add(struct slicefolder_names *names, char *operand, const struct timerange *range,
                     struct diag *diag);

#endif

/* Operands that are folders of stackrecord --archive: the files in them that may have stacks of some
 * time. */
#ifndef STACKFILTER_SLICEFOLDER_H
#define STACKFILTER_SLICEFOLDER_H

#include "cmd/stackfilter/timerange.h"
#include "common/base/diag.h"
#include "common/base/vec.h"

/* Names of files; those of folders are in the arena. */
struct slicefolder_names {
    VEC(char *) list;
    struct arena arena;
};

/* Add the operand; of a folder, which may be told by its name alone, those of its files that may have
 * stacks of the range, in order. A warning says where there are none. */
void slicefolder_add(struct slicefolder_names *names, char *operand, const struct timerange *range,
                     struct diag *diag);

#endif

/* Matches functions of the two sides whose names differ only in lines, folders, hashes and numbers
 * that can change although the function is the same. */
#ifndef STACKDIFF_MATCH_H
#define STACKDIFF_MATCH_H

#include "cmd/stackdiff/profiles.h"

/* Rename the functions in the stacks of the side before to their names on the side after. Merge
 * stacks that become equal, and add up their counts. Takes n log n time for n different names. */
void match_names(struct profiles *p);

#endif

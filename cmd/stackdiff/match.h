/* Decides which function of one side is which of the other, where names hold lines, folders, hashes
 * and numbers that change without the function. */
#ifndef STACKDIFF_MATCH_H
#define STACKDIFF_MATCH_H

#include "cmd/stackdiff/profiles.h"

/* Give the functions in the stacks before the names that they have after. Stacks that become equal
 * are one, with the counts of all. Takes n log n time for n different names. */
void match_names(struct profiles *p);

#endif

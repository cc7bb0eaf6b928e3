/* Compares two commands by the means of their runs. */
#ifndef STACKSTAT_VERSUS_H
#define STACKSTAT_VERSUS_H

#include "cmd/stackstat/results.h"
#include "common/base/diag.h"

enum versus_side { BEFORE, AFTER, SIDES };

/* --max-growth=PERCENT[:EVENT]. */
struct limit {
    double percent;
    struct span event; /* empty: all counted events */
    const char *text;  /* value as on the command line */
};

/* The results to compare, borrowed. Both have the same events, one place, and the same number of
 * runs. */
struct versus {
    const struct results *sides; /* [SIDES]: before and after */
    const char *const *titles;   /* [SIDES]: the commands, as in "'make -j2'" */
};

/* Print both means of each event and time, the growth in percent, and its 95 % confidence
 * interval. */
void versus_print(const struct versus *v, const struct style *s, struct out *out);

/* Report an error for each event and time whose interval lies above the limit, and for a limit of
 * an event that was not counted. Print a note for those that grew by more than the limit, but
 * perhaps by chance. */
void versus_check(const struct versus *v, const struct limit *limit, struct diag *diag);

#endif

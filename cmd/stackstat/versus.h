/* The comparison of two commands, by the means of their runs. */
#ifndef STACKSTAT_VERSUS_H
#define STACKSTAT_VERSUS_H

#include "cmd/stackstat/results.h"
#include "common/base/diag.h"

enum versus_side { BEFORE, AFTER, SIDES };

/* --max-growth=PERCENT[:EVENT]. */
struct limit {
    double percent;
    struct span event; /* empty: all that were counted */
    const char *text;  /* as on the command line */
};

/* What is compared: in both there are the same events, in one place, and as many runs. Borrowed. */
struct versus {
    const struct results *sides; /* before and after */
    const char *const *titles;   /* the commands: "'make -j2'" */
};

/* Print both means of each event and time, the growth in percent, and its 95 % confidence interval. */
void versus_print(const struct versus *v, const struct style *s, struct out *out);

/* Report as errors the events and times whose interval is all above the limit, and a limit of an event
 * that was not counted; note those that grew by more than the limit, but perhaps by chance. */
void versus_check(const struct versus *v, const struct limit *limit, struct diag *diag);

#endif

/* The time of day of samples, which have times of the recorder's clock. One of the comments that
 * stackrecord --header prints before the samples has a time on both clocks:
 *
 *     # monotonic clock : 1297.908076 at 2026-11-28T22:51:08.250125Z
 */
#ifndef STACK_WALLCLOCK_H
#define STACK_WALLCLOCK_H

#include <stdint.h>

#include "common/base/span.h"

/* {0}: unknown. */
struct wallclock {
    bool known;
    uint64_t monotonic; /* nanoseconds of the recorder's clock */
    uint64_t real;      /* the same moment in nanoseconds since 1970 */
};

/* Set the clock and return true if the comment, without its newline, is that line. */
bool wallclock_parse(struct wallclock *c, struct span comment);

/* Convert a time of the recorder's clock to nanoseconds since 1970. Return false if the clock is
 * unknown, or if the time is before 1970. */
bool wallclock_real(const struct wallclock *c, uint64_t ns, uint64_t *real);

enum {
    WALLCLOCK_TIME = sizeof "14:02:11.250",
    WALLCLOCK_DATE = sizeof "2026-11-28 14:02:11 +0000"
};

/* Write the local time of day for a time of a known clock, "14:02:11.250". Return "" if it cannot
 * be converted. */
const char *wallclock_time(const struct wallclock *c, uint64_t ns,
                           char text[static WALLCLOCK_TIME]);

/* Likewise with date and time zone, in whole seconds. */
const char *wallclock_date(const struct wallclock *c, uint64_t ns,
                           char text[static WALLCLOCK_DATE]);

#endif

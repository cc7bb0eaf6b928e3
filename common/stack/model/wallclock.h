/* The time of day of samples, whose times are those of the recorder's clock. Of the comments that
 * stackrecord --header prints before the samples, one says what time it was on both clocks:
 *
 *     # monotonic clock : 1297.908076 at 2026-11-28T22:51:08.250125Z */
#ifndef STACK_WALLCLOCK_H
#define STACK_WALLCLOCK_H

#include <stdint.h>

#include "common/base/span.h"

/* {0}: no comment said what time it was. */
struct wallclock {
    bool known;
    uint64_t monotonic; /* nanoseconds of the recorder's clock, */
    uint64_t real;      /* and of the time since 1970 at that moment */
};

/* Set the clock if the comment, given without its newline, is that line; else return false. */
bool wallclock_parse(struct wallclock *c, struct span comment);

/* Set *real to the nanoseconds since 1970 at that time of the recorder's clock. Return false if the
 * clock is not known, or the time is before 1970. */
bool wallclock_real(const struct wallclock *c, uint64_t ns, uint64_t *real);

enum {
    WALLCLOCK_TIME = sizeof "14:02:11.250",
    WALLCLOCK_DATE = sizeof "2026-11-28 14:02:11 +0000"
};

/* Write the local time of day at that time of a known clock: "14:02:11.250". Return "" if the time
 * cannot be shown. */
const char *wallclock_time(const struct wallclock *c, uint64_t ns,
                           char text[static WALLCLOCK_TIME]);

/* The same with the date and the time zone, to the second. */
const char *wallclock_date(const struct wallclock *c, uint64_t ns,
                           char text[static WALLCLOCK_DATE]);

#endif

/* The time of the calendar, beside the clock of samples' times. */
#ifndef STACKRECORD_CALENDAR_H
#define STACKRECORD_CALENDAR_H

#include <stdint.h>

/* Return what is to be added to a time of CLOCK_MONOTONIC for that since 1970 (UTC), in nanoseconds
 * and modulo 2^64. It changes when somebody sets the clock. */
uint64_t calendar_offset(void);

#endif

/* Converts times of the samples' clock to the date and the time of day. */
#ifndef STACKRECORD_CALENDAR_H
#define STACKRECORD_CALENDAR_H

#include <stdint.h>

/* Return the number of nanoseconds, modulo 2^64, by which the time since 1970 (UTC) exceeds the
 * time of CLOCK_MONOTONIC. It changes when the system's clock is set. */
uint64_t calendar_offset(void);

#endif

#include "cmd/stackrecord/capture/calendar.h"

#include "common/base/clock.h"

uint64_t
calendar_offset(void)
{
    struct timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    return (uint64_t)real.tv_sec * CLOCK_SECOND + (uint64_t)real.tv_nsec - clock_now();
}

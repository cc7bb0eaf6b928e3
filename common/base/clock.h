/* The time since some moment before the program began: CLOCK_MONOTONIC, which is never set back;
 * and the CPU time of this program. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_SECOND      ((uint64_t)1000000000)
#define CLOCK_MILLISECOND (CLOCK_SECOND / 1000)

/* Return the time in nanoseconds. A signal handler may call this. */
static inline uint64_t
clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * CLOCK_SECOND + (uint64_t)t.tv_nsec;
}

/* Return the CPU time of this process, in nanoseconds. */
static inline uint64_t
clock_used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * CLOCK_SECOND + (uint64_t)t.tv_nsec;
}

#endif

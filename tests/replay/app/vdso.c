/* Asks for the time again and again, in the vdso, by the C library. */
#include <time.h>

int
main(void)
{
    struct timespec t;
    for (int i = 0; i < 10000000; i++)
        clock_gettime(CLOCK_MONOTONIC, &t);
    return 0;
}

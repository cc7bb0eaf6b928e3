/* usage: spin THREADS SECONDS [STATUS [DELAY]]
 *
 * Keeps CPUs busy in spin_here(), in so many threads, which it starts after the delay; the seconds
 * begin when all have been started, and last until they have had some processor time. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LEAST = 2000 }; /* rounds: some milliseconds, also of a thread that gets a CPU late */

static const double least = 0.1; /* seconds of processor time */

static double end;
static pthread_barrier_t ready;

static double
now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) void
spin_here(void)
{
    volatile double x = 0;
    for (int round = 0;
         round < LEAST || now(CLOCK_MONOTONIC) < end || now(CLOCK_PROCESS_CPUTIME_ID) < least;
         round++)
        for (int i = 0; i < 1000; i++)
            x += i;
}

static void *
run(void *arg)
{
    pthread_barrier_wait(&ready);
    spin_here();
    return arg;
}

int
main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    pthread_barrier_init(&ready, NULL, (unsigned)n + 1);
    pthread_t *threads = calloc((size_t)n, sizeof *threads);
    puts("started");
    fflush(stdout);
    if (argc > 4)
        usleep((useconds_t)(atof(argv[4]) * 1e6));
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    end = now(CLOCK_MONOTONIC) + (argc > 2 ? atof(argv[2]) : 1);
    pthread_barrier_wait(&ready);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return argc > 3 ? atoi(argv[3]) : 0;
}

/* parts SERIAL_MS PARALLEL_MS: one thread runs alone, then 16 run together. Prints how long at least one of them had a
 * CPU, in each of both parts: the time is divided into slots of 100 microseconds, and the threads that run mark them. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 16, PER_MS = 10, SLOTS = 10000 * PER_MS };

static unsigned char ran[SLOTS];
static long start, end;

static long
slot(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 * PER_MS + t.tv_nsec / (1000000 / PER_MS);
}

static void
begin_part(const char *ms)
{
    start = slot();
    end = start + atol(ms) * PER_MS;
}

static long
end_part(void)
{
    long n = 0;
    for (long i = 0; i < SLOTS; i++) {
        n += ran[i];
        ran[i] = 0;
    }
    return n;
}

__attribute__((noinline)) void
serial(void)
{
    for (long now; (now = slot()) < end;)
        ran[now - start] = 1;
}

__attribute__((noinline)) void *
parallel(void *arg)
{
    for (long now; (now = slot()) < end;)
        ran[now - start] = 1;
    return arg;
}

int
main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    if (argc < 3)
        return 1;
    begin_part(argv[1]);
    serial();
    long alone = end_part();
    begin_part(argv[2]);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, parallel, NULL) != 0)
            return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    fprintf(stderr, "%ld %ld\n", alone, end_part());
    return 0;
}

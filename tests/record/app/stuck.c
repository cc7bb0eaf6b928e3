/* stuck deadlock | naps: two threads that want each other's lock, or 200 that sleep for 300 ms. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

__attribute__((noinline)) void
take_other(pthread_mutex_t *other)
{
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
}

/* Each of two threads takes a lock, and then wants the other's. */
static void *
take_both(void *first)
{
    pthread_mutex_lock(first);
    usleep(50000);
    take_other(&locks[first == locks]);
    return NULL;
}

static void
deadlock(void)
{
    pthread_t other;
    if (pthread_create(&other, NULL, take_both, &locks[0]) == 0)
        take_both(&locks[1]);
}

static void *
nap(void *arg)
{
    usleep(300000);
    return arg;
}

static void
start_threads(void)
{
    pthread_t threads[200];
    for (int i = 0; i < 200; i++)
        if (pthread_create(&threads[i], NULL, nap, NULL) != 0)
            exit(1);
    for (int i = 0; i < 200; i++)
        pthread_join(threads[i], NULL);
}

int
main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "deadlock") == 0)
        deadlock();
    else
        start_threads();
    return 0;
}

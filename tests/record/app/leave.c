/* usage: leave THREADS < PIPE
 *
 * Keeps a CPU busy, beside threads that wait, and says that it has started. When the pipe is closed,
 * the first thread ends. Another one is busy for a second more, and for one more as "after", and
 * ends the process. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static pthread_t first;

static void *
wait_on(void *arg)
{
    pause();
    return arg;
}

/* Takes a second of the CPU. */
static void
spin(void)
{
    for (clock_t from = clock(); clock() - from < CLOCKS_PER_SEC;)
        ;
}

static void *
stay(void *arg)
{
    while (pthread_tryjoin_np(first, NULL) != 0)
        ;
    spin();
    prctl(PR_SET_NAME, "after");
    spin();
    _exit(arg != NULL);
}

int
main(int argc, char **argv)
{
    pthread_t thread;
    char byte;
    first = pthread_self();
    for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--)
        pthread_create(&thread, NULL, wait_on, NULL);
    pthread_create(&thread, NULL, stay, NULL);
    puts("started");
    fflush(stdout);
    while (read(0, &byte, 1) > 0)
        ;
    pthread_exit(NULL);
}

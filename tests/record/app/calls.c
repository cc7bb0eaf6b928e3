/* Makes known system calls, for tests of stackrecord --syscalls: calls THREADS TIMES. Each thread calls TIMES times
 * getppid() in one function and read() of a bad descriptor in another. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long times;

__attribute__((noinline)) static void
ask(void)
{
    syscall(SYS_getppid);
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void
fail(void)
{
    char byte;
    if (read(1000, &byte, 1) != -1 || errno != EBADF)
        abort();
    __asm__ volatile("" ::: "memory");
}

static void *
work(void *unused)
{
    for (long i = 0; i < times; i++) {
        ask();
        fail();
    }
    return unused;
}

int
main(int argc, char **argv)
{
    enum { THREADS_MOST = 64 };
    pthread_t threads[THREADS_MOST];
    int n = argc == 3 ? atoi(argv[1]) : 0;
    if (n < 1 || n > THREADS_MOST)
        return 2;
    times = atol(argv[2]);
    for (int i = 0; i < n; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            return 1;
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

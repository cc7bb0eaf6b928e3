/* An event loop whose turns take known times, in functions of their own:
 *
 *     turns ROUNDS
 *
 * Each turn is a line on standard output, "spin 80012", in microseconds: the time from the return of epoll_wait(2) to
 * its next call, as the program measures it itself. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* By the system call, since names in the vdso are those of the machine that reads the recording. */
static long
now(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static void
wait_for_events(int loop, int ms)
{
    struct epoll_event e;
    while (epoll_wait(loop, &e, 1, ms) < 0)
        ;
}

__attribute__((noinline)) static void
spin(void)
{
    for (long end = now() + 80000; now() < end;)
        ;
}

__attribute__((noinline)) static void
wait_long(void)
{
    struct timespec t = {0, 60000000};
    nanosleep(&t, NULL);
    __asm__ volatile("" ::: "memory"); /* keeps the call from becoming a jump */
}

/* Wait for a process in a loop of its own, as node's execSync() does. */
__attribute__((noinline)) static void
run_inner_loop(void)
{
    int loop = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < 3; i++)
        wait_for_events(loop, 30);
    close(loop);
}

__attribute__((noinline)) static void
spin_shortly(void)
{
    for (long end = now() + 5000; now() < end;)
        ;
}

static const struct {
    const char *name;
    void (*run)(void);
} jobs[] = {{"spin", spin},
            {"spin_shortly", spin_shortly},
            {"wait_long", wait_long},
            {"spin_shortly", spin_shortly},
            {"run_inner_loop", run_inner_loop}};

int
main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    int loop = epoll_create1(EPOLL_CLOEXEC);
    wait_for_events(loop, 20);
    for (int i = 0; i < rounds; i++) {
        for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++) {
            long began = now();
            jobs[k].run();
            long took = now() - began;
            wait_for_events(loop, 20);
            printf("%s %ld\n", jobs[k].name, took);
        }
    }
    return 0;
}

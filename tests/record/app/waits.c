/* A thread that waits for time, a lock, a pipe and the disk, each in a function of its own, and
 * measures how long it waited: the time that passed less the time that it was on the CPU.
 *
 *     waits FIGURES FILE ROUNDS [forever]
 *
 * FILE is created, and read past the page cache; not all file systems permit that. FIGURES gets a
 * line for each function, "wait_pipe MICROSECONDS", and one for the thread: "thread TID WALL CPU",
 * in microseconds too. After that, with a fourth argument, the thread waits for a signal.
 *
 * System calls are made by syscall(2), which leaves the frame pointer alone, as other functions of
 * libc do not. The frame of its caller is lost even so: that is why enter() is there. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, WAIT = 30 * MS, BLOCK = 4 << 20, BLOCKS = 16 };

enum { HOLD_LOCK = 1, WRITE_PIPE };

static int ends[2];            /* of the pipe */
static atomic_int lock, asked; /* asked: 0, HOLD_LOCK or WRITE_PIPE */
static char *block;

__attribute__((noinline)) static long
enter(long call, long a, long b, long c, long d)
{
    long result = syscall(call, a, b, c, d, 0L, 0L);
    __asm__ volatile("" ::: "memory"); /* keeps the call from becoming a jump */
    return result;
}

/* Used by the other thread, which is not measured. */
static void
pause_for(long ns)
{
    struct timespec t = {0, ns};
    nanosleep(&t, NULL);
}

/* Does what the waiting thread asks: holds the lock for a while, or writes to the pipe after one.
 */
static void *
serve(void *arg)
{
    (void)arg;
    for (;;) {
        int what = atomic_load(&asked);
        if (what == 0) {
            syscall(SYS_futex, &asked, FUTEX_WAIT, 0, NULL, NULL, 0);
            continue;
        }
        pause_for(WAIT);
        atomic_store(&asked, 0);
        if (what == WRITE_PIPE) {
            if (write(ends[1], "x", 1) != 1)
                exit(1);
            continue;
        }
        atomic_store(&lock, 0);
        syscall(SYS_futex, &lock, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
    return NULL;
}

static void
ask(int what)
{
    atomic_store(&asked, what);
    syscall(SYS_futex, &asked, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static int64_t
now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000 * MS + t.tv_nsec;
}

/* Nanoseconds. */
struct period {
    int64_t wall, cpu;
};

static struct {
    struct period sleep, lock, pipe, disk, all;
} figures;

struct arguments {
    const char *figures;
    int file;
    int rounds;
    bool forever;
};

__attribute__((noinline)) static struct period
start(void)
{
    return (struct period){now(CLOCK_MONOTONIC), now(CLOCK_THREAD_CPUTIME_ID)};
}

__attribute__((noinline)) static void
stop(struct period *sum, struct period since)
{
    sum->cpu += now(CLOCK_THREAD_CPUTIME_ID) - since.cpu;
    sum->wall += now(CLOCK_MONOTONIC) - since.wall;
}

/* Each wait is measured inside of its function, and the wall clock is read first and last, so that
 * whatever else keeps the thread off the CPU meanwhile has the function on its stack. */
__attribute__((noinline)) static void
wait_sleep(void)
{
    struct period from = start();
    struct timespec t = {0, WAIT};
    enter(SYS_nanosleep, (long)&t, 0, 0, 0);
    stop(&figures.sleep, from);
}

__attribute__((noinline)) static void
wait_lock(void)
{
    struct period from = start();
    while (atomic_load(&lock) != 0)
        enter(SYS_futex, (long)&lock, FUTEX_WAIT, 1, 0);
    stop(&figures.lock, from);
}

__attribute__((noinline)) static void
wait_pipe(void)
{
    char c;
    struct period from = start();
    enter(SYS_read, ends[0], (long)&c, 1, 0);
    stop(&figures.pipe, from);
}

__attribute__((noinline)) static void
wait_disk(int fd)
{
    struct period from = start();
    for (long i = 0; i < BLOCKS; i++)
        if (enter(SYS_pread64, fd, (long)block, BLOCK, i * BLOCK) != BLOCK)
            exit(1);
    stop(&figures.disk, from);
}

__attribute__((noinline)) static void
wait_forever(void)
{
    enter(SYS_pause, 0, 0, 0, 0);
}

static void
print(FILE *out, const char *name, struct period t)
{
    fprintf(out, "%s %lld\n", name, (long long)(t.wall - t.cpu) / 1000);
}

/* A file that is not in the page cache, opened so that reads do not fill it. -1 if that cannot be
 * had. */
static int
make_file(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    memset(block, 'x', BLOCK);
    for (int i = 0; i < BLOCKS; i++)
        if (fd < 0 || write(fd, block, BLOCK) != BLOCK)
            exit(1);
    fsync(fd);
    close(fd);
    return open(path, O_RDONLY | O_DIRECT);
}

/* Writes what was measured to the file. */
static void
report(const char *file)
{
    FILE *out = fopen(file, "w");
    if (out == NULL)
        exit(1);
    print(out, "wait_sleep", figures.sleep);
    print(out, "wait_lock", figures.lock);
    print(out, "wait_pipe", figures.pipe);
    print(out, "wait_disk", figures.disk);
    fprintf(out, "thread %ld %lld %lld\n", syscall(SYS_gettid), (long long)figures.all.wall / 1000,
            (long long)figures.all.cpu / 1000);
    fclose(out);
}

static void *
run(void *arg)
{
    const struct arguments *args = arg;
    struct period from = start();
    for (int i = 0; i < args->rounds; i++) {
        wait_sleep();
        atomic_store(&lock, 1);
        ask(HOLD_LOCK);
        wait_lock();
        ask(WRITE_PIPE);
        wait_pipe();
    }
    if (args->file >= 0)
        wait_disk(args->file);
    stop(&figures.all, from);
    report(args->figures);
    if (args->forever)
        wait_forever();
    return NULL;
}

int
main(int argc, char **argv)
{
    if (argc < 4 || pipe(ends) != 0 || posix_memalign((void **)&block, 4096, BLOCK) != 0)
        return 1;
    struct arguments args = {argv[1], make_file(argv[2]), atoi(argv[3]), argc > 4};
    pthread_t waits, serves;
    pthread_create(&serves, NULL, serve, NULL);
    pthread_create(&waits, NULL, run, &args);
    pthread_join(waits, NULL);
    return 0;
}

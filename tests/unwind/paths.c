/* Takes time in spin(), to which known functions lead: as the first argument says. */
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define PLAIN __attribute__((noinline))

static volatile unsigned long sink;
static volatile char *volatile place;

/* Keeps a call from being the last thing that a function does. */
#define AFTER_CALL __asm__ volatile("" ::: "memory")

PLAIN void
spin(unsigned long rounds)
{
    for (unsigned long i = 0; i < rounds * 1000; i++)
        sink += i;
}

PLAIN void
recursion(int depth)
{
    if (depth > 1)
        recursion(depth - 1);
    else
        spin(200000);
    AFTER_CALL;
}

PLAIN int
compare(const void *a, const void *b)
{
    spin(20);
    AFTER_CALL;
    return *(const int *)a - *(const int *)b;
}

PLAIN void
sorts(void)
{
    int numbers[1000];
    for (int i = 0; i < 1000; i++)
        numbers[i] = i * 7919 % 1000;
    qsort(numbers, 1000, sizeof *numbers, compare);
    AFTER_CALL;
}

PLAIN void
handler(int number)
{
    (void)number;
    spin(1000);
    AFTER_CALL;
}

PLAIN void
copies(void)
{
    static char from[1 << 16], to[1 << 16];
    for (int i = 0; i < 100000; i++) {
        memcpy(to, from, sizeof to);
        place = to;
    }
}

PLAIN void
interrupted(void)
{
    struct itimerval often = {{0, 2000}, {0, 2000}};
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &often, NULL);
    copies();
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    AFTER_CALL;
}

static jmp_buf back;

PLAIN void
jumps(int depth)
{
    if (depth == 0)
        longjmp(back, 1);
    jumps(depth - 1);
    AFTER_CALL;
}

PLAIN void
returned(void)
{
    spin(2000);
    AFTER_CALL;
}

PLAIN void
longjumps(void)
{
    for (volatile int i = 0; i < 100; i++) {
        if (setjmp(back) == 0)
            jumps(20);
        returned();
    }
}

PLAIN void *
threaded(void *argument)
{
    spin(200000);
    AFTER_CALL;
    return argument;
}

PLAIN void
threads(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, threaded, NULL);
    pthread_join(thread, NULL);
}

PLAIN void
forked(void)
{
    spin(200000);
    AFTER_CALL;
}

PLAIN void
forks(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        forked();
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

PLAIN void
allocates(size_t size)
{
    place = alloca(size);
    memset((char *)place, 1, size);
    spin(2000);
    AFTER_CALL;
}

PLAIN void
allocations(void)
{
    for (size_t i = 0; i < 100; i++)
        allocates(i * 40 + 1);
}

PLAIN void
tail(unsigned long rounds)
{
    spin(rounds);
    AFTER_CALL;
}

PLAIN void
jumps_to_tail(unsigned long rounds)
{
    sink++;
    tail(rounds);
}

PLAIN void
tails(void)
{
    jumps_to_tail(200000);
    AFTER_CALL;
}

/* The functions that it calls are so short that a third of the time is in the PLT. */
PLAIN void
calls(void)
{
    for (int i = 0; i < 100000000; i++)
        sink += (unsigned long)labs((long)sink);
}

#ifdef __GLIBC__
static ucontext_t before, context;

static void
in_context(void)
{
    spin(200000);
    AFTER_CALL;
}

PLAIN void
contexts(void)
{
    static char stack[65536];
    getcontext(&context);
    context.uc_stack = (stack_t){.ss_sp = stack, .ss_size = sizeof stack};
    context.uc_link = &before;
    makecontext(&context, in_context, 0);
    swapcontext(&before, &context);
}
#else
static void
contexts(void)
{
}
#endif

int
main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"sorts", sorts},         {"interrupted", interrupted},
                {"longjumps", longjumps}, {"threads", threads},
                {"forks", forks},         {"allocations", allocations},
                {"tails", tails},         {"calls", calls},
                {"contexts", contexts}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc == 2 && strcmp(argv[1], ways[i].name) == 0)
            ways[i].run();
    if (argc == 3)
        recursion(atoi(argv[2]));
    return 0;
}

/* Waits in three functions: for time, for a byte from another process, and for a CPU. It has no libc, so that its file
 * is small and all of its functions have frame pointers (gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
 * -nostdlib -static; x86-64).
 *
 *     switches        waits, with a process that answers, and ends
 *     switches spin   runs until it is killed */
#include <asm/unistd.h>

enum { MS = 1000000, ROUNDS = 4 };

struct time {
    long seconds, nanoseconds;
};

__attribute__((noinline)) static long
enter(long call, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(call), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

static void
sleep_for(long milliseconds)
{
    struct time t = {0, milliseconds * MS};
    enter(__NR_nanosleep, (long)&t, 0, 0);
}

__attribute__((noinline)) static void
wait_time(long milliseconds)
{
    sleep_for(milliseconds);
    __asm__ volatile("" ::: "memory"); /* keeps the call from becoming a jump */
}

/* Asks the other process for a byte, which comes after some milliseconds. */
__attribute__((noinline)) static void
wait_byte(int in, int out, char milliseconds)
{
    enter(__NR_write, out, (long)&milliseconds, 1);
    enter(__NR_read, in, (long)&milliseconds, 1);
}

__attribute__((noinline)) static void
answer(int in, int out)
{
    for (char c; enter(__NR_read, in, (long)&c, 1) == 1 && c > 0;) {
        sleep_for(c);
        enter(__NR_write, out, (long)&c, 1);
    }
}

__attribute__((noinline)) static void
spin(void)
{
    for (;;)
        __asm__ volatile("pause");
}

__attribute__((noinline)) static void
waits(int in, int out)
{
    for (int i = 1; i <= ROUNDS; i++) {
        wait_time(i);
        wait_byte(in, out, (char)(2 * i));
    }
    enter(__NR_write, out, (long)"", 1);
}

__attribute__((noinline, used)) static void
run(long argc)
{
    int there[2], back[2];
    if (argc > 1)
        spin();
    enter(__NR_pipe, (long)there, 0, 0);
    enter(__NR_pipe, (long)back, 0, 0);
    if (enter(__NR_fork, 0, 0, 0) == 0)
        answer(there[0], back[1]);
    else
        waits(back[0], there[1]);
    enter(__NR_exit_group, 0, 0, 0);
}

__attribute__((naked)) void
_start(void)
{
    __asm__("xor %ebp, %ebp\n\tmov (%rsp), %rdi\n\tcall run");
}

/* usage: stranger SECONDS
 *
 * Runs code in memory of its own at 0x60000000, as a program does that compiles code, and writes
 * nothing about it. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { CODE = 0x60000000, SIZE = 4096, BYTES = 256 };

/* Needs nothing but its registers and its stack, so that it can be copied. */
static __attribute__((noinline, aligned(16))) long
spin(long n)
{
    volatile long sum = 0;
    while (n-- > 0)
        sum += n;
    return sum;
}

int
main(int argc, char **argv)
{
    time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 1);
    char *code = mmap((void *)(uintptr_t)CODE, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (code == MAP_FAILED)
        return 1;
    memcpy(code, (const void *)(uintptr_t)spin, BYTES);
    __builtin___clear_cache(code, code + BYTES);
    while (time(NULL) < end)
        ((long (*)(long))(uintptr_t)code)(1000000);
    return 0;
}

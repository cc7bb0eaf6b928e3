/* Runs code that it makes, and writes a perf map of it that grows: each function is at one of two addresses, where another one
 * was before: code FUNCTIONS MAP-FOLDER [pause]. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* push %rbp; mov %rsp, %rbp; 1: dec %rdi; jnz 1b; pop %rbp; ret */
static const uint8_t code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3};

int
main(int argc, char **argv)
{
    char path[100];
    snprintf(path, sizeof path, "%s/perf-%d.map", argc > 2 ? argv[2] : "/tmp", (int)getpid());
    FILE *map = fopen(path, "w");
    char *memory =
        mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (argc < 2 || map == NULL || memory == MAP_FAILED)
        return 1;
    for (int i = 0; i < atoi(argv[1]); i++) {
        char *at = memory + i % 2 * 64;
        memcpy(at, code, sizeof code);
        fprintf(map, "%lx %zx made%d /srv/app/code.js:%d:1\n", (unsigned long)at, sizeof code, i,
                i + 1);
        fflush(map);
        void (*run)(unsigned long);
        memcpy(&run, &at, sizeof run);
        run(20000000);
        if (argc > 3)
            usleep(50000);
    }
    return 0;
}

/* Runs code that it makes, of another function every 10 ms at the same address, and writes a jitdump of
 * that in the current folder: jitting SECONDS [CLOCK]. With CLOCK the times are no times of a clock. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Counts down from the argument. */
#if defined(__x86_64__)
static const uint8_t code[] = {0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3};
#elif defined(__aarch64__)
static const uint8_t code[] = {0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff,
                               0xff, 0x54, 0xc0, 0x03, 0x5f, 0xd6};
#else
#error "unknown machine"
#endif

enum { PAGE = 4096, NAME = 16 };

static uint64_t
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void
put(int fd, const void *bytes, size_t n)
{
    if (write(fd, bytes, n) != (ssize_t)n)
        exit(1);
}

static void
put_load(int fd, const void *at, uint64_t index, uint64_t time)
{
    char name[NAME] = {0};
    uint32_t pid = (uint32_t)getpid();
    uint32_t head[] = {0, 56 + NAME + sizeof code};
    uint64_t addr = (uint64_t)(uintptr_t)at, fields[] = {addr, addr, sizeof code, index};
    snprintf(name, sizeof name, "f%llu()", (unsigned long long)index);
    put(fd, head, sizeof head);
    put(fd, &time, sizeof time);
    put(fd, &pid, sizeof pid);
    put(fd, &pid, sizeof pid);
    put(fd, fields, sizeof fields);
    put(fd, name, sizeof name);
    put(fd, code, sizeof code);
}

int
main(int argc, char **argv)
{
    char path[64];
    uint32_t head[] = {0x4a695444, 1, 40, 0, 0, (uint32_t)getpid()};
    uint64_t flags[] = {now(), argc > 2};
    if (argc < 2)
        return 2;
    uint64_t end = now() + (uint64_t)(atof(argv[1]) * 1e9);
    snprintf(path, sizeof path, "jit-%d.dump", (int)getpid());
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    put(fd, head, sizeof head);
    put(fd, flags, sizeof flags);
    void *memory =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED ||
        mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
        return 1;
    memcpy(memory, code, sizeof code);
    __builtin___clear_cache(memory, (char *)memory + sizeof code);
    void (*run)(uint64_t);
    memcpy(&run, &memory, sizeof run);
    for (uint64_t index = 0; now() < end; index++) {
        uint64_t time = now();
        put_load(fd, memory, index, argc > 2 ? index : time);
        while (now() < time + 10000000)
            run(10000);
    }
    return 0;
}

/* Runs the functions of a library while it cuts, overwrites and replaces the library's file, and a
 * perf map and a jitdump of its own: changing LIBRARY SECONDS. It works in the current folder, and
 * on /tmp/perf-PID.map. It never cuts what is mapped of the library, so that only the symbols and
 * their names are gone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FUNCTIONS = 40, WHOLE = 10, PAGE = 4096 };

static char *bytes;         /* of the library */
static size_t size, mapped; /* and how many of them its code and data are in */
static char map[64], dump[64];

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
read_library(const char *path)
{
    int fd = open(path, O_RDONLY);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0)
        exit(1);
    size = (size_t)st.st_size;
    bytes = malloc(size);
    if (read(fd, bytes, size) != (ssize_t)size)
        exit(1);
    close(fd);
    Elf64_Ehdr *h = (void *)bytes;
    Elf64_Phdr *p = (void *)(bytes + h->e_phoff);
    for (int i = 0; i < h->e_phnum; i++)
        if (p[i].p_type == PT_LOAD && p[i].p_offset + p[i].p_filesz > mapped)
            mapped = p[i].p_offset + p[i].p_filesz;
    mapped = (mapped + PAGE - 1) / PAGE * PAGE;
}

static void
put(const char *path, const void *data, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0700);
    if (fd < 0 || write(fd, data, n) != (ssize_t)n)
        exit(1);
    close(fd);
}

/* Cuts the library, makes it whole, overwrites its end, and rewrites the others. */
static void
change(const char *path, unsigned step)
{
    static char garbage[PAGE];
    memset(garbage, (int)step, sizeof garbage);
    int fd = open(path, O_WRONLY);
    if (step % 4 == 0 && ftruncate(fd, (off_t)mapped) != 0)
        exit(1);
    if (step % 4 == 3 && pwrite(fd, bytes + mapped, size - mapped, (off_t)mapped) < 0)
        exit(1);
    if (step % 16 == 7 && pwrite(fd, garbage, sizeof garbage, (off_t)(size - sizeof garbage)) < 0)
        exit(1);
    close(fd);
    if (truncate(map, 0) != 0 || truncate(dump, 0) != 0)
        exit(1);
    put(map, "1000 1000 one\n2000 ", step % 2 ? 14 : 19);
    put(dump, "DTiJ\1\0\0\0\50\0\0\0", step % 2 ? 4 : 12);
}

static void
run_functions(const char *path, unsigned *step)
{
    char name[64];
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        exit(1);
    for (int i = 0; i < FUNCTIONS; i++) {
        snprintf(name, sizeof name, "work_%d", i);
        double until = now() + 0.02, next = 0;
        volatile unsigned (*work)(unsigned) = NULL;
        *(void **)&work = dlsym(library, name);
        while (now() < until) {
            work(10000);
            if (now() < next || i < WHOLE)
                continue;
            change(path, (*step)++);
            next = now() + 0.0002;
        }
    }
    dlclose(library);
    put("new.so", bytes, size);
    rename("new.so", path);
}

int
main(int argc, char **argv)
{
    unsigned step = 0;
    char path[64];
    if (argc != 3)
        return 2;
    double end = now() + atof(argv[2]);
    read_library(argv[1]);
    snprintf(map, sizeof map, "/tmp/perf-%d.map", (int)getpid());
    snprintf(dump, sizeof dump, "jit-%d.dump", (int)getpid());
    put(map, "", 0);
    put(dump, "DTiJ", 4);
    int fd = open(dump, O_RDONLY);
    if (mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
        return 1;
    puts("ready");
    fflush(stdout);
    for (unsigned n = 0; now() < end; n++) {
        snprintf(path, sizeof path, "./own-%d-%u.so", (int)getpid(), n);
        put(path, bytes, size);
        run_functions(path, &step);
    }
    unlink(map);
    return 0;
}

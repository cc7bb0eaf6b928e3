/* A library for LD_PRELOAD: a machine with counters of its own. perf_event_open(2) gives a file to
 * read what the kernel would count: value, time enabled, time running; of a group the number of
 * values, the leader's times, and the values. All other events are not supported. Each counter of branches takes the next number of the
 * environment variable BRANCHES, if there is one. */
#define _GNU_SOURCE /* memfd_create, syscall(2) */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of linux/perf_event.h, which not every C library has: PERF_TYPE_*, PERF_COUNT_HW_* and
 * PERF_COUNT_SW_TASK_CLOCK, and the beginning of struct perf_event_attr. */
enum { HARDWARE, SOFTWARE, CACHE = 3 };
enum { CYCLES, INSTRUCTIONS, CACHE_MISSES = 3, BRANCHES, BRANCH_MISSES };
enum { TASK_CLOCK = 1 };

enum { FORMAT_GROUP = 1 << 3 };

struct attr {
    uint32_t type, size;
    uint64_t config, period, sample_type, read_format;
};

static const struct {
    uint32_t type, config;
    uint64_t read[3];
} counters[] = {
    {SOFTWARE, TASK_CLOCK, {2000000000, 2000000000, 2000000000}},
    {HARDWARE, CYCLES, {1000000000, 2000000000, 500000000}},
    {HARDWARE, INSTRUCTIONS, {6000000000, 2000000000, 1500000000}},
    {HARDWARE, BRANCHES, {1000, 2000000000, 2000000000}},
    {HARDWARE, BRANCH_MISSES, {25, 2000000000, 2000000000}},
    {HARDWARE, CACHE_MISSES, {0, 2000000000, 0}},
    {CACHE, 0, {4000, 2000000000, 2000000000}},      /* L1-dcache-loads */
    {CACHE, 1 << 16, {100, 2000000000, 2000000000}}, /* L1-dcache-load-misses */
};

/* Add a value to the file of the group's leader. */
static int
join(int leader, uint64_t value)
{
    uint64_t n;
    if (pread(leader, &n, 8, 0) != 8)
        return -1;
    off_t at = (off_t)(3 + n++) * 8;
    return pwrite(leader, &value, 8, at) == 8 && pwrite(leader, &n, 8, 0) == 8 ? 0 : -1;
}

static int
open_counter(const struct attr *attr, const uint64_t counts[3], int leader)
{
    const uint64_t group[] = {1, counts[1], counts[2], counts[0]};
    int grouped = (attr->read_format & FORMAT_GROUP) != 0;
    int fd = memfd_create("counter", MFD_CLOEXEC);
    ssize_t size = grouped ? 32 : 24;
    if (fd < 0 || pwrite(fd, grouped ? group : counts, (size_t)size, 0) != size ||
        (leader >= 0 && join(leader, counts[0]) != 0))
        return -1;
    return fd;
}

/* Return the next number of the variable BRANCHES, or the usual count. */
static uint64_t
next_branches(uint64_t usual)
{
    static const char *rest;
    const char *list = rest != NULL ? rest : getenv("BRANCHES");
    char *end = NULL;
    uint64_t count = list != NULL ? strtoull(list, &end, 10) : 0;
    if (end == list)
        return usual;
    rest = end;
    return count;
}

int ioctl(int fd, unsigned long request, ...); /* of sys/ioctl.h, where the types differ */

/* Start and stop the counters, whose requests have the type '$'; there is no terminal. */
int
ioctl(int fd, unsigned long request, ...)
{
    (void)fd;
    if ((request >> 8 & 0xff) == '$')
        return 0;
    errno = ENOTTY;
    return -1;
}

/* The programs make no other call by this function that matters here. */
long
syscall(long number, ...)
{
    va_list args;
    va_start(args, number);
    const struct attr *attr = va_arg(args, void *);
    (void)va_arg(args, int); /* task */
    (void)va_arg(args, int); /* CPU */
    int leader = va_arg(args, int);
    va_end(args);
    for (unsigned i = 0; number == SYS_perf_event_open && i < sizeof counters / sizeof *counters;
         i++)
        if (attr->type == counters[i].type && attr->config == counters[i].config) {
            uint64_t counts[] = {counters[i].read[0], counters[i].read[1], counters[i].read[2]};
            if (attr->type == HARDWARE && attr->config == BRANCHES)
                counts[0] = next_branches(counts[0]);
            return open_counter(attr, counts, leader);
        }
    errno = ENOENT;
    return -1;
}

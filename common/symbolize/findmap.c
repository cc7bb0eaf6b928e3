#define _GNU_SOURCE /* CLOCK_BOOTTIME */
#include "common/symbolize/findmap.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/num.h"
#include "common/sym/perfmap.h"
#include "common/symbolize/procroot.h"

static const uint64_t SECOND = 1000000000;

static uint64_t
nanoseconds(struct timespec t)
{
    return t.tv_sec > 0 ? (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec : 0;
}

static uint64_t
time_since(clockid_t clock, uint64_t then)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return nanoseconds(now) > then ? nanoseconds(now) - then : 0;
}

/* True if the file was written within that time, and a second more for coarse clocks. */
static bool
is_fresh(int fd, uint64_t age)
{
    struct stat st;
    return fstat(fd, &st) == 0 &&
           time_since(CLOCK_REALTIME, nanoseconds(st.st_mtim)) <= num_add(age, SECOND);
}

int
findmap_open(int32_t pid, uint64_t age)
{
    char path[64];
    const char *problem;
    int fd = -1;
    int32_t inner = procroot_inner_pid(pid);
    if (inner >= 0) {
        age = time_since(CLOCK_BOOTTIME, procroot_started(pid));
        snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)inner);
        fd = procroot_open(pid, span_cstr(path));
    }
    if (fd < 0 && procroot_is_ours(pid)) {
        snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)pid);
        fd = perfmap_open(path, &problem);
    }
    if (fd >= 0 && !is_fresh(fd, age)) {
        close(fd);
        return -1;
    }
    return fd;
}

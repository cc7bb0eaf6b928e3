#define _GNU_SOURCE /* CLOCK_BOOTTIME */
#include "common/symbolize/findmap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
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

/* The file's descriptor, or -1, with found->problem. Remembers what was wrong with a file that is
 * there. */
static int
take(struct findmap *found, int fd, const char *path, const char *problem)
{
    bool absent = fd < 0 && strcmp(problem, strerror(ENOENT)) == 0;
    if (absent || (fd < 0 && found->problem != NULL))
        return -1;
    snprintf(found->path, sizeof found->path, "%s", path);
    found->problem = problem;
    return fd;
}

/* Looks into the root folder of the process, which runs. */
static int
open_inside(int32_t pid, int32_t inner, const struct regular_owners *owners, struct findmap *found)
{
    char path[FINDMAP_PATH], root[FINDMAP_PATH];
    const char *problem;
    int len = snprintf(root, sizeof root, "/proc/%d/root", (int)pid);
    snprintf(path, sizeof path, "%.*s/tmp/perf-%d.map", len, root, (int)inner);
    int fd = perfmap_open(path, &(struct regular){.root = root, .owners = owners}, &problem);
    return take(found, fd, path, problem);
}

static int
open_outside(int32_t pid, const struct regular_owners *owners, struct findmap *found)
{
    char path[FINDMAP_PATH];
    const char *problem;
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)pid);
    int fd = perfmap_open(path, &(struct regular){.owners = owners}, &problem);
    return take(found, fd, path, problem);
}

/* In our /tmp, the user of a process in a container is somebody else. */
int
findmap_open(int32_t pid, const struct regular_owners *owners, uint64_t age, struct findmap *found)
{
    struct regular_owners now;
    int fd = -1;
    int32_t inner = procroot_inner_pid(pid);
    bool outside = inner < 0 || (inner == pid && procroot_is_ours(pid));
    *found = (struct findmap){.problem = NULL};
    procroot_owners(pid, &now);
    if (inner >= 0 && age != FINDMAP_ANY_AGE)
        age = time_since(CLOCK_BOOTTIME, procroot_started(pid));
    if (!outside)
        fd = open_inside(pid, inner, &now, found);
    if (!outside && !procroot_is_ours(pid))
        procroot_owners(-1, &now);
    else if (inner < 0 && owners != NULL)
        now = *owners;
    if (fd < 0)
        fd = open_outside(pid, &now, found);
    if (fd >= 0 && !is_fresh(fd, age)) {
        close(fd);
        return -1;
    }
    return fd;
}

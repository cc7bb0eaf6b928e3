#define _GNU_SOURCE /* syscall(2) */
#include "common/machine/perfopen.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FD_CLOSE_ON_EXEC = 1 << 3 }; /* PERF_FLAG_FD_CLOEXEC of linux/perf_event.h */

int
perfopen_member(const struct event *e, int32_t task, int32_t cpu, int leader, unsigned flags)
{
    char attr[ATTR_SIZE];
    attr_encode(e, attr);
    return (int)syscall(SYS_perf_event_open, attr, task, cpu, leader,
                        (unsigned long)flags | FD_CLOSE_ON_EXEC);
}

int
perfopen(const struct event *e, int32_t task, int32_t cpu, unsigned flags)
{
    return perfopen_member(e, task, cpu, -1, flags);
}

int
perfopen_try(const struct event *e, int32_t task, int32_t cpu, unsigned flags)
{
    int fd = perfopen(e, task, cpu, flags);
    int error = fd < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return error;
}

int
perfopen_try_own(const struct event *e)
{
    struct event own = *e;
    own.flags = 1 << FLAG_DISABLED | 1 << FLAG_EXCLUDE_KERNEL | 1 << FLAG_EXCLUDE_HV;
    return perfopen_try(&own, 0, -1, 0);
}

bool
perfopen_raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max)
        return false;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

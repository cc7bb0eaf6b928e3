#define _GNU_SOURCE /* F_SETPIPE_SZ: fcntl(2), Linux 2.6.35 and later */
#include "common/base/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

void
pipe_enlarge(int fd)
{
#ifdef F_SETPIPE_SZ
    int size = fcntl(fd, F_GETPIPE_SZ);
    if (size > 0 && size < 1024 * 1024)
        fcntl(fd, F_SETPIPE_SZ, 1024 * 1024);
#else
    (void)fd;
#endif
}

bool
pipe_retry(int fd, short events)
{
    if (errno == EINTR)
        return true;
    if (errno != EAGAIN)
        return false;
    struct pollfd p = {.fd = fd, .events = events};
    while (poll(&p, 1, -1) < 0)
        if (errno != EINTR)
            return false;
    return true;
}

bool
pipe_write(int fd, struct span text)
{
    while (text.len > 0) {
        ssize_t n = write(fd, text.ptr, text.len);
        if (n >= 0)
            text = span_from(text, (size_t)n);
        else if (!pipe_retry(fd, POLLOUT))
            return false;
    }
    return true;
}

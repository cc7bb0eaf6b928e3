#define _GNU_SOURCE /* F_SETPIPE_SZ: fcntl(2), Linux 2.6.35 and later */
#include "common/base/pipe.h"

#include <fcntl.h>

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

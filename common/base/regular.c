#include "common/base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file is looked at again when it is open: meanwhile another may have got its name. */
int
regular_open(const char *path, int flags, const char **problem)
{
    struct stat st;
    *problem = "is not a regular file";
    bool found = (flags & O_NOFOLLOW) != 0 ? lstat(path, &st) == 0 : stat(path, &st) == 0;
    if (found && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
        return -1;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags);
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    if (fd < 0)
        *problem = errno == ELOOP && (flags & O_NOFOLLOW) != 0
                       ? "is a symbolic link, which is not followed"
                       : strerror(errno);
    else
        close(fd);
    return -1;
}

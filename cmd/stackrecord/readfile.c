#include "cmd/stackrecord/readfile.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool
readfile(const char *path, struct text *out)
{
    enum { BLOCK = 4096 }; /* the kernel gives no more of such a file at a time */
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t got;
    do {
        out->ptr = mem_grow(out->ptr, &out->cap, out->len + BLOCK, 1);
        got = read(fd, out->ptr + out->len, BLOCK);
        out->len += got > 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    int error = errno;
    close(fd);
    errno = error;
    return got == 0;
}

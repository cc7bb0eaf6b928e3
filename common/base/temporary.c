#define _GNU_SOURCE /* O_TMPFILE, memfd_create */
#include "common/base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

const char *
temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : "/tmp";
}

/* File systems that take O_TMPFILE for the flags of a folder fail with EISDIR. */
int
temporary_open(void)
{
    int fd = open(temporary_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
        fd = memfd_create("temporary", MFD_CLOEXEC);
    return fd;
}

bool
temporary_write(int fd, struct span bytes)
{
    while (bytes.len > 0) {
        ssize_t n = write(fd, bytes.ptr, bytes.len);
        if (n < 0 && errno != EINTR)
            return false;
        bytes = span_from(bytes, n > 0 ? (size_t)n : 0);
    }
    return true;
}

#include "cmd/jmaps/javamap.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/sym/perfmap.h"

/* A file of other names, too, may have been another user's and be linked here. */
static const char *
find_fault(int fd, const struct javaprocess *p)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (st.st_uid != p->uid)
        return "belongs to another user than the process";
    return st.st_nlink > 1 ? "has other names, too" : NULL;
}

int
javamap_open(const char *path, const struct javaprocess *p, const char **problem)
{
    int fd = perfmap_open(path, problem);
    const char *fault = fd >= 0 ? find_fault(fd, p) : NULL;
    if (fault == NULL)
        return fd;
    *problem = fault;
    close(fd);
    return -1;
}

/* Its mode is changed last: then its user cannot change it back. */
bool
javamap_give_to_root(int fd)
{
    struct stat st;
    return fchown(fd, 0, (gid_t)-1) == 0 && fstat(fd, &st) == 0 &&
           fchmod(fd, st.st_mode & (S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)) == 0;
}

struct javamap_size
javamap_size(int fd)
{
    char block[64 * 1024];
    struct javamap_size size = {0};
    bool in_word = false;
    for (ssize_t n; size.bytes < PERFMAP_MAX && (n = read(fd, block, sizeof block)) > 0;) {
        for (ssize_t i = 0; i < n; i++) {
            bool is_text = !is_space(block[i]);
            size.words += is_text && !in_word;
            size.lines += block[i] == '\n';
            in_word = is_text;
        }
        size.bytes += (size_t)n;
    }
    return size;
}

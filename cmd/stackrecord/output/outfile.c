#include "cmd/stackrecord/output/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_stdout(const struct outfile *f)
{
    return strcmp(f->name, "-") == 0;
}

struct place
outfile_place(const struct outfile *f)
{
    return (struct place){is_stdout(f) ? "standard output" : f->name, 0};
}

/* Return another descriptor of standard output; -1, with errno set, where it was closed. */
static int
open_stdout(void)
{
    int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    errno = EBADF;
    return -1;
}

/* Open the file by its name; set *problem and return -1 if that fails. */
static int
open_by_name(struct outfile *f, const char **problem)
{
    struct stat st;
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    int fd = open(f->name, flags | O_EXCL, 0600);
    f->created = fd >= 0;
    if (fd < 0 && errno == EEXIST && lstat(f->name, &st) == 0) {
        bool trap = S_ISLNK(st.st_mode) || S_ISFIFO(st.st_mode);
        if (trap && st.st_uid != geteuid() && st.st_uid != 0) {
            *problem = "is another user's link or FIFO";
            return -1;
        }
        fd = open(f->name, flags | (S_ISLNK(st.st_mode) ? 0 : O_NOFOLLOW), 0600);
    }
    *problem = fd < 0 ? strerror(errno) : NULL;
    return fd;
}

bool
outfile_open(struct outfile *f, const char *name, struct diag *diag)
{
    const char *problem = NULL;
    *f = (struct outfile){.name = name};
    f->fd = is_stdout(f) ? open_stdout() : open_by_name(f, &problem);
    if (f->fd < 0)
        diag_error(diag, outfile_place(f), "%s", problem != NULL ? problem : strerror(errno));
    return f->fd >= 0;
}

bool
outfile_is_pipe(const struct outfile *f)
{
    return is_stdout(f) || lseek(f->fd, 0, SEEK_CUR) < 0;
}

bool
outfile_empty(const struct outfile *f)
{
    return outfile_is_pipe(f) || ftruncate(f->fd, 0) == 0 || errno == EINVAL; /* of a device */
}

void
outfile_drop(const struct outfile *f)
{
    if (f->created)
        unlink(f->name);
}

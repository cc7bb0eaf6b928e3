#define _GNU_SOURCE /* O_PATH, mkostemp */
#include "common/base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/base/text.h"

/* Return the path up to and including its last slash. */
static struct span
folder_of(const char *path)
{
    size_t slash = span_rfind(span_cstr(path), '/');
    return span_of(path, slash != SPAN_NONE ? slash + 1 : 0);
}

/* Return the path of a file in the folder. The caller frees it. */
static char *
join(struct span folder, const char *name)
{
    struct text t = {0};
    TEXT_ADD(&t, folder, span_of(name, strlen(name) + 1));
    return t.ptr;
}

/* Return true for a link such as /proc/self/fd/1, which leads to an open file and not to a path. */
static bool
is_magic(int fd)
{
    enum { PROC_SUPER_MAGIC = 0x9fa0 }; /* linux/magic.h */
    struct statfs fs;
    return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* Replace *path by the target of the link with that name, which is open as `fd`. */
static const char *
follow(char **path, int fd)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(fd, "", target, sizeof target - 1);
    if (n < 0)
        return strerror(errno);
    target[n] = '\0';
    char *next = join(target[0] == '/' ? SPAN("") : folder_of(*path), target);
    free(*path);
    *path = next;
    return NULL;
}

/* Examine the file at *path. If it is a link, replace *path by its target. *found: it is not a
 * link. */
static const char *
look(char **path, struct stat *st, bool *found)
{
    int fd = open(*path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    const char *problem = NULL;
    *found = true;
    st->st_mode = 0;
    if (fd < 0)
        return errno == ENOENT ? NULL : strerror(errno);
    bool others = fstat(fd, st) == 0 && st->st_uid != geteuid() && st->st_uid != 0;
    *found = !S_ISLNK(st->st_mode) || is_magic(fd);
    if (others && S_ISFIFO(st->st_mode))
        problem = "is another user's FIFO";
    else if (!*found)
        problem =
            others ? "is another user's symbolic link, which is not followed" : follow(path, fd);
    close(fd);
    return problem;
}

const char *
outfile_resolve(const char *path, char **target, struct stat *st)
{
    enum { LINKS = 40 }; /* the number that the kernel follows */
    const char *problem = NULL;
    bool found = false;
    *target = join(SPAN(""), path);
    for (int i = 0; i < LINKS && !found && problem == NULL; i++)
        problem = look(target, st, &found);
    if (!found && problem == NULL)
        problem = strerror(ELOOP);
    if (problem != NULL)
        free(*target);
    return problem;
}

/* Return another descriptor of standard output, or -1 with errno if it is closed. */
static int
open_stdout(void)
{
    int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    errno = EBADF;
    return -1;
}

/* Open the file by its name. On failure, set *problem and return -1. */
static int
open_by_name(struct outfile *f, const char **problem)
{
    struct stat st;
    char *path;
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    int fd = open(f->name, flags | O_EXCL, 0600);
    f->created = fd >= 0;
    if (fd < 0 && errno == EEXIST) {
        if ((*problem = outfile_resolve(f->name, &path, &st)) != NULL)
            return -1;
        fd = open(path, flags | (S_ISLNK(st.st_mode) ? 0 : O_NOFOLLOW), 0600);
        free(path);
    }
    *problem = fd < 0 ? strerror(errno) : NULL;
    return fd;
}

static bool
is_stdout(const struct outfile *f)
{
    return strcmp(f->name, "-") == 0;
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
    return outfile_is_pipe(f) || ftruncate(f->fd, 0) == 0 || errno == EINVAL; /* a device */
}

void
outfile_drop(const struct outfile *f)
{
    if (f->created)
        unlink(f->name);
}

struct place
outfile_place(const struct outfile *f)
{
    return (struct place){is_stdout(f) ? "standard output" : f->name, 0};
}

/* Open the file itself. */
static const char *
open_in_place(struct outfile *f, const struct stat *st)
{
    sigprocmask(SIG_SETMASK, &f->signals, NULL); /* no new file is needed, and opening may wait */
    int regular = S_ISREG(st->st_mode) ? O_TRUNC | O_NOFOLLOW : S_ISLNK(st->st_mode) ? O_TRUNC : 0;
    f->fd = open(f->path, O_WRONLY | O_NOCTTY | O_CLOEXEC | regular);
    return f->fd < 0 ? strerror(errno) : NULL;
}

/* Return the mode of the replaced file if it is ours, otherwise that of a new file. */
static mode_t
choose_mode(const struct stat *st)
{
    if (S_ISREG(st->st_mode) && st->st_uid == geteuid())
        return st->st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* The new file, until it is renamed. It is removed if the program ends before, for any reason. */
static const char *unfinished;

static void
remove_unfinished(void)
{
    if (unfinished != NULL)
        unlink(unfinished);
}

static const char *
open_beside(struct outfile *f, const struct stat *st)
{
    f->beside = join(folder_of(f->path), ".unfinished.XXXXXX");
    f->fd = mkostemp(f->beside, O_CLOEXEC);
    int error = errno;
    if (f->fd >= 0) {
        unfinished = f->beside;
        atexit(remove_unfinished);
        fchmod(f->fd, choose_mode(st)); /* some file systems have no modes */
        return NULL;
    }
    free(f->beside);
    f->beside = NULL;
    bool no_folder = error == EACCES || error == EPERM || error == EROFS;
    return no_folder && S_ISREG(st->st_mode) ? open_in_place(f, st) : strerror(error);
}

static const char *
open_new(struct outfile *f, const struct stat *st)
{
    if (st->st_mode != 0 && !S_ISREG(st->st_mode))
        return open_in_place(f, st);
    if (st->st_mode != 0 && access(f->path, W_OK) != 0)
        return strerror(errno);
    return open_beside(f, st);
}

static void
end(struct outfile *f)
{
    sigprocmask(SIG_SETMASK, &f->signals, NULL);
    free(f->path);
    free(f->beside);
}

const char *
outfile_replace(struct outfile *f, const char *path)
{
    struct stat st;
    sigset_t waiting;
    *f = (struct outfile){.name = path};
    const char *problem = outfile_resolve(path, &f->path, &st);
    if (problem != NULL)
        return problem;
    sigemptyset(&waiting);
    sigaddset(&waiting, SIGHUP);
    sigaddset(&waiting, SIGINT);
    sigaddset(&waiting, SIGTERM);
    sigprocmask(SIG_BLOCK, &waiting, &f->signals);
    problem = open_new(f, &st);
    if (problem != NULL)
        end(f);
    return problem;
}

const char *
outfile_finish(struct outfile *f)
{
    const char *problem = NULL;
    if (f->beside != NULL && rename(f->beside, f->path) != 0) {
        problem = strerror(errno);
        unlink(f->beside);
    }
    unfinished = NULL;
    end(f);
    return problem;
}

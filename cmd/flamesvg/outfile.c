#define _GNU_SOURCE /* O_PATH, mkostemp */
#include "cmd/flamesvg/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/base/text.h"

/* Return the text before the path's last slash, with the slash. */
static struct span
folder_of(const char *path)
{
    size_t slash = span_rfind(span_cstr(path), '/');
    return span_of(path, slash != SPAN_NONE ? slash + 1 : 0);
}

/* Return the folder's file of that name, to be freed. */
static char *
join(struct span folder, const char *name)
{
    struct text t = {0};
    TEXT_ADD(&t, folder, span_of(name, strlen(name) + 1));
    return t.ptr;
}

/* Return true of a link such as /proc/self/fd/1, which leads to an open file and not to a path. */
static bool
is_magic(int fd)
{
    enum { PROC_SUPER_MAGIC = 0x9fa0 }; /* linux/magic.h */
    struct statfs fs;
    return fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* Replace f->path by that to which the open link of that name leads. */
static const char *
follow(struct outfile *f, int fd, const struct stat *st)
{
    char target[PATH_MAX];
    if (st->st_uid != geteuid() && st->st_uid != 0)
        return "is another user's symbolic link, which is not followed";
    ssize_t n = readlinkat(fd, "", target, sizeof target - 1);
    if (n < 0)
        return strerror(errno);
    target[n] = '\0';
    char *next = join(target[0] == '/' ? SPAN("") : folder_of(f->path), target);
    free(f->path);
    f->path = next;
    return NULL;
}

/* Follow the links at f->path, and set *st to what is there, st->st_mode 0 if that is nothing.
 * Returns NULL, or what is wrong. */
static const char *
resolve(struct outfile *f, struct stat *st)
{
    enum { LINKS = 40 }; /* that the kernel follows */
    for (int i = 0; i < LINKS; i++) {
        int fd = open(f->path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        st->st_mode = 0;
        if (fd < 0)
            return errno == ENOENT ? NULL : strerror(errno);
        const char *problem = NULL;
        bool found = fstat(fd, st) == 0 && (!S_ISLNK(st->st_mode) || is_magic(fd));
        if (!found)
            problem = follow(f, fd, st);
        close(fd);
        if (found || problem != NULL)
            return problem;
    }
    return strerror(ELOOP);
}

/* Open the file itself. A FIFO may be another user's trap: opening it waits for a reader. */
static const char *
open_in_place(struct outfile *f, const struct stat *st)
{
    sigprocmask(SIG_SETMASK, &f->signals, NULL); /* there is no new file, and opening may wait */
    int regular = S_ISREG(st->st_mode) ? O_TRUNC | O_NOFOLLOW : S_ISLNK(st->st_mode) ? O_TRUNC : 0;
    if (S_ISFIFO(st->st_mode) && st->st_uid != geteuid() && st->st_uid != 0)
        return "is another user's FIFO";
    f->fd = open(f->path, O_WRONLY | O_NOCTTY | O_CLOEXEC | regular);
    return f->fd < 0 ? strerror(errno) : NULL;
}

/* Return the mode of the file that is replaced if it is ours, else that of any new file. */
static mode_t
choose_mode(const struct stat *st)
{
    if (S_ISREG(st->st_mode) && st->st_uid == geteuid())
        return st->st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* The new file, until it has its name: removed when the program ends before, for whatever error. */
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
    f->beside = join(folder_of(f->path), ".flamesvg.XXXXXX");
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
open_new(struct outfile *f)
{
    struct stat st;
    const char *problem = resolve(f, &st);
    if (problem != NULL)
        return problem;
    if (st.st_mode != 0 && !S_ISREG(st.st_mode))
        return open_in_place(f, &st);
    if (st.st_mode != 0 && access(f->path, W_OK) != 0)
        return strerror(errno);
    return open_beside(f, &st);
}

static void
end(struct outfile *f)
{
    sigprocmask(SIG_SETMASK, &f->signals, NULL);
    free(f->path);
    free(f->beside);
}

const char *
outfile_open(struct outfile *f, const char *path)
{
    sigset_t waiting;
    *f = (struct outfile){.path = join(SPAN(""), path)};
    sigemptyset(&waiting);
    sigaddset(&waiting, SIGHUP);
    sigaddset(&waiting, SIGINT);
    sigaddset(&waiting, SIGTERM);
    sigprocmask(SIG_BLOCK, &waiting, &f->signals);
    const char *problem = open_new(f);
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

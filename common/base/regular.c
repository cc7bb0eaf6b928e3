/* openat2(2) and path_resolution(7); /proc/self/fd in proc(5). */
#define _GNU_SOURCE /* O_PATH, syscall */
#include "common/base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/span.h"

enum { READ = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, FIND = O_PATH | O_CLOEXEC };

/* From <linux/openat2.h>, which systems before Linux 5.6 lack. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
enum { NO_MAGICLINKS = 0x02, IN_ROOT = 0x10 };

static int
open_in_root(int folder, const char *path, int flags)
{
    struct {
        uint64_t flags, mode, resolve;
    } how = {(uint64_t)flags, 0, IN_ROOT | NO_MAGICLINKS};
    enum { TRIES = 8 }; /* EAGAIN: a folder was moved meanwhile, so that ".." is not certain */
    int fd = -1;
    errno = EAGAIN;
    for (int i = 0; i < TRIES && fd < 0 && errno == EAGAIN; i++)
        fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    return fd;
}

/* Opens one component of a path, and closes the folder that it is in unless that is `root`. */
static int
step(int root, int folder, struct span name, int flags)
{
    char text[NAME_MAX + 1];
    int fd = -1;
    snprintf(text, sizeof text, "%.*s", SPAN_ARG(name));
    errno = name.len > NAME_MAX ? ENAMETOOLONG : EXDEV;
    if (name.len <= NAME_MAX && !span_eq(name, SPAN("..")))
        fd = openat(folder, text, flags | O_NOFOLLOW);
    int error = errno;
    if (folder != root)
        close(folder);
    errno = error;
    return fd;
}

/* The same without openat2, and without following links. */
static int
open_by_steps(int root, const char *path, int flags)
{
    struct span rest = span_cstr(path);
    int fd = root;
    while (fd >= 0 && rest.len > 0) {
        size_t slash = span_find(rest, '/');
        bool last = slash == SPAN_NONE;
        struct span name = last ? rest : span_head(rest, slash);
        rest = last ? SPAN("") : span_from(rest, slash + 1);
        if (name.len > 0)
            fd = step(root, fd, name, last ? flags : FIND | O_DIRECTORY);
    }
    return fd != root ? fd : (errno = EISDIR, -1);
}

static int
open_beneath(const char *root, const char *path, int flags)
{
    int folder = open(root, FIND | O_DIRECTORY);
    if (folder < 0)
        return -1;
    int fd = open_in_root(folder, path, flags);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM)) /* EPERM: forbidden by seccomp */
        fd = open_by_steps(folder, path, flags);
    int error = errno;
    close(folder);
    errno = error;
    return fd;
}

static int
open_path(const char *path, const struct regular *rules, int flags)
{
    if (rules->no_link)
        flags |= O_NOFOLLOW;
    if (rules->root == NULL || rules->root[0] == '\0')
        return open(path, flags);
    return open_beneath(rules->root, path + strlen(rules->root), flags);
}

static bool
has_owner(const struct regular_owners *owners, uid_t uid)
{
    size_t i = 0;
    while (i < owners->count && owners->uid[i] != uid)
        i++;
    return i < owners->count;
}

/* What is wrong with the file; NULL: nothing. */
static const char *
find_problem(const struct regular *rules, const struct stat *st)
{
    if (S_ISLNK(st->st_mode))
        return "is a symbolic link, which is not followed";
    if (!S_ISREG(st->st_mode))
        return "is not a regular file";
    if (rules->owners != NULL && !has_owner(rules->owners, st->st_uid))
        return "belongs neither to its process's user, nor to you, nor to root";
    if (rules->owners != NULL && st->st_nlink > 1)
        return "has another name (a hard link), and may be another user's file";
    if (rules->most > 0 && (uint64_t)st->st_size > rules->most)
        return rules->most >> 30 > 0 ? "is larger than a gigabyte" : "is too large";
    return NULL;
}

/* Opens the file that `found` is. Where /proc is not mounted, it is opened by its name again, and
 * must be the same. */
static int
open_found(int found, const char *path, const struct regular *rules, const struct stat *st)
{
    char name[32];
    struct stat now;
    snprintf(name, sizeof name, "/proc/self/fd/%d", found);
    int fd = open(name, READ);
    if (fd >= 0 || (errno != ENOENT && errno != ENOTDIR))
        return fd;
    fd = open_path(path, rules, READ);
    if (fd < 0 || (fstat(fd, &now) == 0 && now.st_dev == st->st_dev && now.st_ino == st->st_ino))
        return fd;
    close(fd);
    errno = EAGAIN;
    return -1;
}

static const char *
last_error(void)
{
    return errno == EXDEV ? "leads out of its folder" : strerror(errno);
}

int
regular_open(const char *path, const struct regular *rules, const char **problem)
{
    static const struct regular any = {0};
    struct stat st;
    int fd = -1;
    rules = rules != NULL ? rules : &any;
    int found = open_path(path, rules, FIND);
    *problem = found >= 0 && fstat(found, &st) == 0 ? find_problem(rules, &st) : last_error();
    if (found >= 0 && *problem == NULL) {
        fd = open_found(found, path, rules, &st);
        *problem = fd < 0 ? last_error() : NULL;
    }
    if (found >= 0)
        close(found);
    return fd;
}

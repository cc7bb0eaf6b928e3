/* path_resolution(7); /proc/self/fd in proc(5). */
#define _GNU_SOURCE /* O_PATH */
#include "common/base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/span.h"

enum { READ = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, FIND = O_PATH | O_CLOEXEC };

/* A path that is followed in a folder. openat2(2) with RESOLVE_IN_ROOT does the same, from
 * Linux 5.6 on; but whether it opens a file to write it is not to be seen by a seccomp filter
 * (confine.h), so that programs with one could not use it. */
struct route {
    int root, folder; /* descriptors; `folder` is that of text[0 .. done), and root at the start */
    size_t done;
    unsigned steps; /* components that were looked at, to end the chase of links */
    char text[PATH_MAX];
};

enum { STEPS = 4096 };

static void
leave_folder(struct route *r)
{
    int error = errno;
    if (r->folder != r->root)
        close(r->folder);
    r->folder = r->root;
    errno = error;
}

/* Begin again with the path "HEAD/MIDDLE", then the tail: "" or "/" and more. They may point into
 * r->text. */
static bool
start_again(struct route *r, struct span head, struct span middle, const char *tail)
{
    char text[PATH_MAX];
    int len = snprintf(text, sizeof text, "%.*s/%.*s%s", SPAN_ARG(head), SPAN_ARG(middle), tail);
    leave_folder(r);
    r->done = 0;
    if (len < 0 || (size_t)len >= sizeof text) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(r->text, text, (size_t)len + 1);
    return true;
}

/* Go on where the link leads: from the root folder, or from that of the link. */
static bool
follow(struct route *r, int link, const char *tail)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(link, "", target, sizeof target);
    struct span to = span_of(target, n > 0 ? (size_t)n : 0);
    bool absolute = span_starts(to, SPAN("/"));
    return start_again(r, span_of(r->text, absolute ? 0 : r->done), to, tail);
}

/* Take the next component. False at the end: r->folder is then the file, or -1 with errno. */
static bool
step(struct route *r, int flags)
{
    char name[NAME_MAX + 1];
    struct stat st;
    size_t at = r->done + strspn(r->text + r->done, "/"), len = strcspn(r->text + at, "/");
    const char *tail = r->text + at + len;
    struct span walked = span_of(r->text, r->done);
    bool last = tail[strspn(tail, "/")] == '\0';
    int fd = -1;
    errno = len > NAME_MAX ? ENAMETOOLONG : len == 0 ? EISDIR : r->steps == STEPS ? ELOOP : 0;
    r->steps++;
    if (errno == 0) {
        memcpy(name, r->text + at, len);
        name[len] = '\0';
        if (strcmp(name, ".") == 0 && !last) /* or ".." would undo this one */
            return start_again(r, walked, SPAN(""), tail);
        if (strcmp(name, "..") == 0) { /* what was walked has no links: ".." undoes a component */
            size_t slash = span_rfind(walked, '/');
            return start_again(r, span_head(walked, slash != SPAN_NONE ? slash : 0), SPAN(""),
                               tail);
        }
        fd = openat(r->folder, name, (last ? flags : FIND) | O_NOFOLLOW);
    }
    if (fd >= 0 && !(last && (flags & O_NOFOLLOW) != 0) && fstat(fd, &st) == 0 &&
        S_ISLNK(st.st_mode)) {
        bool further = follow(r, fd, tail);
        close(fd);
        return further;
    }
    leave_folder(r);
    r->folder = fd;
    r->done = at + len;
    return fd >= 0 && !last;
}

static int
open_beneath(const char *root, const char *path, int flags)
{
    struct route r = {.root = open(root, FIND | O_DIRECTORY)};
    r.folder = r.root;
    if (r.root < 0)
        return -1;
    if (start_again(&r, SPAN(""), SPAN(""), path))
        while (step(&r, flags))
            continue;
    int error = errno;
    close(r.root);
    errno = error;
    return r.folder != r.root ? r.folder : -1;
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

static const char *
not_owned(const struct regular_owners *owners)
{
    return owners->count == 1 ? "belongs to another user than its process"
                              : "belongs neither to its process's user, nor to you, nor to root";
}

/* Return what is wrong with the file; NULL: nothing. */
static const char *
find_problem(const struct regular *rules, const struct stat *st)
{
    if (S_ISLNK(st->st_mode))
        return "is a symbolic link, which is not followed";
    if (!S_ISREG(st->st_mode))
        return "is not a regular file";
    if (rules->owners != NULL && !has_owner(rules->owners, st->st_uid))
        return not_owned(rules->owners);
    if (rules->namer != NULL && *rules->namer != st->st_uid)
        return "belongs to another user than the file that names it";
    if (rules->owners != NULL && st->st_nlink > 1)
        return "has another name (a hard link), and may be another user's file";
    if (rules->most > 0 && (uint64_t)st->st_size > rules->most)
        return rules->most >> 30 > 0 ? "is larger than a gigabyte" : "is too large";
    return NULL;
}

/* Open the file that `found` is. Where /proc is not mounted, it is opened by its name again, and
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

int
regular_open(const char *path, const struct regular *rules, const char **problem)
{
    static const struct regular any = {0};
    struct stat st;
    int fd = -1;
    rules = rules != NULL ? rules : &any;
    int found = open_path(path, rules, FIND);
    *problem = found >= 0 && fstat(found, &st) == 0 ? find_problem(rules, &st) : strerror(errno);
    if (found >= 0 && *problem == NULL) {
        fd = open_found(found, path, rules, &st);
        *problem = fd < 0 ? strerror(errno) : NULL;
    }
    if (found >= 0)
        close(found);
    return fd;
}

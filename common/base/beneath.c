/* path_resolution(7). */
#define _GNU_SOURCE /* O_PATH */
#include "common/base/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/span.h"

enum { FIND = O_PATH | O_CLOEXEC };

/* A path that is followed below a folder. openat2(2) with RESOLVE_IN_ROOT does the same since Linux
 * 5.6. But a seccomp filter (confine.h) cannot see whether it opens a file for writing, so confined
 * programs could not use it. */
struct route {
    int root, folder; /* descriptors; `folder` is that of text[0 .. done), at first the root */
    size_t done;
    unsigned steps; /* number of components so far; limits chains of links */
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

/* Start again with the path "HEAD/MIDDLE" and the tail, which is "" or begins with "/". They may
 * point into r->text. */
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

/* Continue at the target of a link: from the root folder, or from the folder of the link. */
static bool
follow(struct route *r, int link, const char *tail)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(link, "", target, sizeof target);
    struct span to = span_of(target, n > 0 ? (size_t)n : 0);
    bool absolute = span_starts(to, SPAN("/"));
    return start_again(r, span_of(r->text, absolute ? 0 : r->done), to, tail);
}

/* Take the next component. At the end, return false; r->folder is then the file, or -1 with
 * errno. */
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
        if (strcmp(name, ".") == 0 && !last) /* otherwise, a following ".." would undo this one */
            return start_again(r, walked, SPAN(""), tail);
        if (strcmp(name, "..") == 0) { /* the path so far has no links: remove its last component */
            size_t slash = span_rfind(walked, '/');
            return start_again(r, span_head(walked, slash != SPAN_NONE ? slash : 0), SPAN(""),
                               tail);
        }
        fd = openat(r->folder, name, FIND | O_NOFOLLOW);
    }
    if (fd >= 0 && !(last && (flags & O_NOFOLLOW) != 0) && fstat(fd, &st) == 0 &&
        S_ISLNK(st.st_mode)) {
        bool further = follow(r, fd, tail);
        close(fd);
        return further;
    }
    if (fd >= 0 && last && (flags & O_PATH) == 0) { /* not a link, or not to be followed */
        close(fd);
        fd = openat(r->folder, name, flags | O_NOFOLLOW);
    }
    leave_folder(r);
    r->folder = fd;
    r->done = at + len;
    return fd >= 0 && !last;
}

int
beneath_open(const char *root, const char *path, int flags)
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

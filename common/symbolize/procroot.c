/* The files of a process in /proc are in proc(5), namespaces in namespaces(7). */
#define _GNU_SOURCE /* O_PATH */
#include "common/symbolize/procroot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 64 };

static const char *
proc_path(char path[static PATH], int32_t pid, const char *file)
{
    snprintf(path, PATH, "/proc/%d/%s", (int)pid, file);
    return path;
}

/* What a link says, such as "mnt:[4026531841]". Empty if it cannot be read. */
static struct span
link_text(const char *path, char *text, size_t size)
{
    ssize_t n = readlink(path, text, size);
    return span_of(text, n > 0 ? (size_t)n : 0);
}

bool
procroot_is_ours(int32_t pid)
{
    char path[PATH], ours_text[PATH], its_text[PATH];
    struct stat ours, its;
    struct span mounts = link_text("/proc/self/ns/mnt", ours_text, sizeof ours_text);
    struct span its_mounts = link_text(proc_path(path, pid, "ns/mnt"), its_text, sizeof its_text);
    if (its_mounts.len > 0 && !span_eq(mounts, its_mounts))
        return false;
    if (stat("/", &ours) != 0 || stat(proc_path(path, pid, "root"), &its) != 0)
        return true;
    return ours.st_dev == its.st_dev && ours.st_ino == its.st_ino;
}

/* Opens one component of a path, and closes the folder that it is in. To open a FIFO or a device
 * would wake somebody, so that its type is looked at before. */
static int
step(int folder, struct span name, bool last)
{
    char text[NAME_MAX + 1];
    struct stat st;
    int fd = -1;
    snprintf(text, sizeof text, "%.*s", SPAN_ARG(name));
    if (name.len > NAME_MAX || span_eq(name, SPAN("..")))
        errno = ENOENT;
    else if (!last)
        fd = openat(folder, text, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    else if (fstatat(folder, text, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(st.st_mode))
        errno = EINVAL;
    else
        fd = openat(folder, text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int error = errno;
    close(folder);
    errno = error;
    return fd;
}

int
procroot_open(int32_t pid, struct span path)
{
    char root[PATH];
    int fd = open(proc_path(root, pid, "root"), O_PATH | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && path.len > 0) {
        path = span_from(path, 1);
        size_t slash = span_find(path, '/');
        bool last = slash == SPAN_NONE;
        fd = step(fd, last ? path : span_head(path, slash), last);
        path = last ? SPAN("") : span_from(path, slash);
    }
    return fd;
}

/* From a line of /proc/PID/status:
 *
 *     NSpid:  4242    7
 */
int32_t
procroot_inner_pid(int32_t pid)
{
    char path[PATH], line[256];
    int inner = -1;
    FILE *f = fopen(proc_path(path, pid, "status"), "re");
    if (f == NULL)
        return -1;
    while (inner < 0 && fgets(line, sizeof line, f) != NULL) {
        struct span text = span_trim(span_cstr(line));
        size_t tab = span_rfind(text, '\t');
        if (span_starts(text, SPAN("NSpid:")) && tab != SPAN_NONE)
            sscanf(text.ptr + tab, "%d", &inner);
    }
    fclose(f);
    return inner >= 0 ? inner : pid;
}

/* From the only line of /proc/PID/stat, whose second field may hold blanks and parentheses:
 *
 *     4242 (node) S 4200 4242 4200 0 ...       field 22: clock ticks since the system started
 */
uint64_t
procroot_started(int32_t pid)
{
    enum { NAME = 2, STARTED = 22 };
    char path[PATH], text[1024];
    unsigned long long ticks = 0;
    FILE *f = fopen(proc_path(path, pid, "stat"), "re");
    if (f == NULL)
        return 0;
    size_t len = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[len] = '\0';
    struct span rest = span_of(text, len);
    size_t name_end = span_rfind(rest, ')');
    rest = name_end != SPAN_NONE ? span_from(rest, name_end) : SPAN("");
    for (int field = NAME; field < STARTED && rest.len > 0; field++) {
        size_t blank = span_find(rest, ' ');
        rest = blank != SPAN_NONE ? span_from(rest, blank + 1) : SPAN("");
    }
    if (rest.len == 0 || sscanf(rest.ptr, "%llu", &ticks) != 1)
        return 0;
    return ticks * (1000000000ull / (unsigned long long)sysconf(_SC_CLK_TCK));
}

#define _GNU_SOURCE /* O_PATH */
#include "cmd/jmaps/javaprocess.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/helper.h"
#include "common/base/mem.h"
#include "common/base/num.h"

/* Open /proc/PID. Reads through this descriptor fail once the process has ended, even if another
 * process has got its pid. */
static int
open_proc(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld", (long)pid);
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Read the start of a file in the folder into `text`; nothing if the process is gone. */
static struct span
read_proc(int folder, const char *name, char *text, size_t size)
{
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, size) : 0;
    if (fd >= 0)
        close(fd);
    return span_of(text, n > 0 ? (size_t)n : 0);
}

static bool
is_java(pid_t pid)
{
    char name[64];
    int folder = open_proc(pid);
    bool java = span_eq(read_proc(folder, "comm", name, sizeof name), SPAN("java\n"));
    if (folder >= 0)
        close(folder);
    return java;
}

static int
compare(const void *a, const void *b)
{
    pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;
    return (x > y) - (x < y);
}

size_t
javaprocess_list(pid_t **list)
{
    size_t n = 0, cap = 0;
    uint64_t pid;
    DIR *proc = opendir("/proc");
    *list = NULL;
    for (struct dirent *e; proc != NULL && (e = readdir(proc)) != NULL;) {
        if (!num_u64(span_cstr(e->d_name), &pid) || !is_java((pid_t)pid))
            continue;
        *list = mem_grow(*list, &cap, n + 1, sizeof **list);
        (*list)[n++] = (pid_t)pid;
    }
    if (proc != NULL)
        closedir(proc);
    if (n > 0)
        qsort(*list, n, sizeof **list, compare);
    return n;
}

/* Parse the line "Uid:\t1000\t1000\t1000\t1000": the real, effective, saved and file system's id.
 * Return false if they differ. The process's name, in a line above, has no newline there: the
 * kernel escapes it. */
static bool
take_id(struct span status, struct span key, unsigned *id)
{
    uint64_t value[4] = {0};
    size_t at = span_search(status, key);
    if (at == SPAN_NONE)
        return false;
    status = span_from(status, at + key.len);
    for (size_t i = 0; i < 4; i++) {
        struct span digits = span_head(status, span_run(status, 0, is_digit));
        if (!num_u64(digits, &value[i]) || value[i] != value[0] || status.len == digits.len)
            return false;
        status = span_from(status, digits.len + 1);
    }
    *id = (unsigned)value[0];
    return true;
}

const char *
javaprocess_read(struct javaprocess *p, pid_t pid)
{
    char text[8192];
    const char *problem = NULL;
    *p = (struct javaprocess){.pid = pid, .folder = open_proc(pid)};
    struct span status = read_proc(p->folder, "status", text, sizeof text);
    if (status.len == 0)
        problem = "it is gone";
    else if (!take_id(status, SPAN("\nUid:\t"), &p->uid) ||
             !take_id(status, SPAN("\nGid:\t"), &p->gid))
        problem = "it has the rights of several users or groups";
    p->confined = span_search(status, SPAN("\nSeccomp:\t0")) == SPAN_NONE;
    if (problem != NULL)
        javaprocess_close(p);
    return problem;
}

/* Return true if both links in /proc/PID and /proc/self lead to one namespace: namespaces(7). */
static bool
shares_namespace(int folder, const char *name)
{
    char path[64], ours[64], its[64];
    snprintf(path, sizeof path, "/proc/self/%s", name);
    ssize_t n = readlink(path, ours, sizeof ours);
    return n > 0 && readlinkat(folder, name, its, sizeof its) == n &&
           memcmp(ours, its, (size_t)n) == 0;
}

/* Look up a file by a path of the process. Use the helper: the file system may never answer. */
static bool
look_up(pid_t pid, const char *path, struct helper_file *file)
{
    int fd = helper_find((int32_t)pid, NULL, path, false, file);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Return true if the process runs the file that is at the path here, and shares our namespaces: in
 * another root folder the same path may be another file. */
static bool
is_ours(const struct javaprocess *p, const char *path)
{
    static const char *const namespaces[] = {"ns/mnt", "ns/user", "ns/pid", "ns/net"};
    struct helper_file its, here;
    char exe[64];
    for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; i++)
        if (!shares_namespace(p->folder, namespaces[i]))
            return false;
    snprintf(exe, sizeof exe, "/proc/%ld/exe", (long)p->pid);
    return look_up(p->pid, exe, &its) && look_up(p->pid, path, &here) &&
           its.st.st_dev == here.st.st_dev && its.st.st_ino == here.st.st_ino &&
           faccessat(p->folder, "status", F_OK, 0) == 0; /* the pid is still this process's */
}

char *
javaprocess_home(const struct javaprocess *p)
{
    char path[4096];
    ssize_t n = readlinkat(p->folder, "exe", path, sizeof path - 1);
    if (n <= 0 || p->confined)
        return NULL;
    path[n] = '\0';
    struct span home = span_of(path, (size_t)n);
    if (!is_ours(p, path) || !span_ends(home, SPAN("/bin/java")))
        return NULL;
    home.len -= strlen("/bin/java");
    if (span_ends(home, SPAN("/jre")))
        home.len -= strlen("/jre");
    path[home.len] = '\0';
    return strdup(path);
}

void
javaprocess_close(struct javaprocess *p)
{
    if (p->folder >= 0)
        close(p->folder);
}

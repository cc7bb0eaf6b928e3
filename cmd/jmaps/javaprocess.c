#include "cmd/jmaps/javaprocess.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/mem.h"
#include "common/base/num.h"

/* Reads the start of /proc/PID/NAME into `text`; nothing if the process is gone. */
static struct span
read_proc(pid_t pid, const char *name, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, size) : 0;
    if (fd >= 0)
        close(fd);
    return span_of(text, n > 0 ? (size_t)n : 0);
}

static bool
is_java(pid_t pid)
{
    char name[64];
    return span_eq(read_proc(pid, "comm", name, sizeof name), SPAN("java\n"));
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

/* Parses the line "Uid:\t1000\t1000\t1000\t1000": the real, effective, saved and file system's id.
 * False if they differ. The process's name, in a line above, has no newline there: the kernel
 * escapes it. */
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
    char text[2048];
    struct span status = read_proc(pid, "status", text, sizeof text);
    p->pid = pid;
    if (status.len == 0)
        return "it is gone";
    if (take_id(status, SPAN("\nUid:\t"), &p->uid) && take_id(status, SPAN("\nGid:\t"), &p->gid))
        return NULL;
    return "it has the rights of several users or groups";
}

static bool
is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* In a container the path may be another file's here. */
char *
javaprocess_home(const struct javaprocess *p)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/%ld/exe", (long)p->pid);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0)
        return NULL;
    path[n] = '\0';
    struct span home = span_of(path, (size_t)n);
    if (!is_same_file(link, path) || !span_ends(home, SPAN("/bin/java")))
        return NULL;
    home.len -= strlen("/bin/java");
    if (span_ends(home, SPAN("/jre")))
        home.len -= strlen("/jre");
    path[home.len] = '\0';
    return strdup(path);
}

/* See proc(5) for the files of a process in /proc, and namespaces(7) for namespaces. */
#include "common/symbolize/procroot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/helper.h"
#include "common/base/mem.h"
#include "common/base/num.h"

enum { PATH = 64, LINE = 256 };

static const char *
proc_path(char path[static PATH], int32_t pid, const char *file)
{
    snprintf(path, PATH, "/proc/%d/%s", (int)pid, file);
    return path;
}

/* Return the target of a link, such as "mnt:[4026531841]"; empty if it cannot be read. */
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
    struct stat ours;
    struct helper_file its;
    struct span mounts = link_text("/proc/self/ns/mnt", ours_text, sizeof ours_text);
    struct span its_mounts = link_text(proc_path(path, pid, "ns/mnt"), its_text, sizeof its_text);
    if (its_mounts.len > 0 && !span_eq(mounts, its_mounts))
        return false;
    int root = stat("/", &ours) == 0
                   ? helper_find(pid, NULL, proc_path(path, pid, "root"), false, &its)
                   : -1;
    if (root < 0)
        return errno != ETIMEDOUT;
    close(root);
    return ours.st_dev == its.st.st_dev && ours.st_ino == its.st.st_ino;
}

const char *
procroot_open(struct regular_file *f, int32_t pid, const char *path)
{
    char root[PATH];
    const struct regular inside = {.root = proc_path(root, pid, "root"), .pid = pid};
    size_t size = strlen(root) + strlen(path) + 1;
    char *whole = mem_alloc(size);
    snprintf(whole, size, "%s%s", root, path);
    const char *problem = regular_open(f, whole, &inside);
    free(whole);
    return problem;
}

/* Read the rest of the line of /proc/PID/status that begins with `name`. Return false if there is
 * none.
 *
 *     Uid:    1000    1000    1000    1000        real, effective, saved, of the file system
 *     NSpid:  4242    7
 */
static bool
status_line(int32_t pid, const char *name, char line[static LINE])
{
    char path[PATH];
    bool found = false;
    FILE *f = fopen(proc_path(path, pid, "status"), "re");
    while (f != NULL && !found && fgets(line, LINE, f) != NULL)
        found = strncmp(line, name, strlen(name)) == 0;
    if (f != NULL)
        fclose(f);
    return found;
}

int32_t
procroot_inner_pid(int32_t pid)
{
    char path[PATH], line[LINE];
    int inner;
    if (access(proc_path(path, pid, "status"), R_OK) != 0)
        return -1;
    if (!status_line(pid, "NSpid:", line))
        return pid;
    struct span text = span_trim(span_cstr(line));
    size_t tab = span_rfind(text, '\t');
    return tab != SPAN_NONE && sscanf(text.ptr + tab, "%d", &inner) == 1 ? inner : pid;
}

/* Find the user id in our namespace of root in the process's user namespace. A line of
 * /proc/PID/uid_map:
 *
 *              0     100000      65536            first id, first id in ours, number of ids
 */
static bool
find_inner_root(int32_t pid, unsigned *uid)
{
    char path[PATH], line[LINE];
    unsigned first = 1;
    FILE *f = fopen(proc_path(path, pid, "uid_map"), "re");
    while (f != NULL && first != 0 && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "%u %u", &first, uid) != 2)
            first = 1;
    if (f != NULL)
        fclose(f);
    return first == 0;
}

void
procroot_owners(int32_t pid, struct regular_owners *owners)
{
    char line[LINE];
    unsigned uid;
    *owners = (struct regular_owners){{geteuid(), 0}, 2};
    if (pid < 0 || !status_line(pid, "Uid:", line) || sscanf(line, "Uid: %*u %u", &uid) != 1)
        return;
    owners->uid[owners->count++] = uid;
    if (find_inner_root(pid, &uid))
        owners->uid[owners->count++] = uid;
}

struct span
procroot_stat_field(struct span stat, int number)
{
    enum { COMM = 2 };
    size_t comm_end = span_rfind(stat, ')');
    struct span rest = comm_end != SPAN_NONE ? span_from(stat, comm_end) : SPAN("");
    for (int field = COMM; field < number; field++)
        span_take(&rest, ' ');
    return span_before(rest, ' ');
}

uint64_t
procroot_started(int32_t pid)
{
    char path[PATH], text[1024];
    uint64_t ticks = 0;
    FILE *f = fopen(proc_path(path, pid, "stat"), "re");
    if (f == NULL)
        return 0;
    size_t len = fread(text, 1, sizeof text, f);
    fclose(f);
    if (!num_u64(procroot_stat_field(span_of(text, len), PROCROOT_STARTTIME), &ticks))
        return 0;
    return ticks * (1000000000 / (uint64_t)sysconf(_SC_CLK_TCK));
}

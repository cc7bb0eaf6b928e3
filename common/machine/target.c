#include "common/machine/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/procmount.h"
#include "common/machine/procfs.h"

/* Print the process to which the name refers, with the start of its command line. */
static void
report_found(const struct target *t, struct diag *diag, int32_t pid)
{
    enum { SHOWN = 100 };
    struct text line = {0};
    procfs_ask(&line, pid, "cmdline");
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] == '\0')
            line.ptr[i] = ' ';
    struct span text = span_trim(text_span(&line));
    bool long_line = text.len > SHOWN;
    diag_note(diag, "%s is process %d: %.*s%s", t->name, (int)pid,
              SPAN_ARG(span_head(text, long_line ? SHOWN : text.len)), long_line ? "..." : "");
    free(line.ptr);
}

static bool
find_name(struct target *t, struct diag *diag)
{
    int32_t pid = procfs_newest(t->name);
    if (pid < 0) {
        diag_error(diag, NOWHERE, "no process is called '%s': ps -e lists them", t->name);
        return false;
    }
    report_found(t, diag, pid);
    numbers_add(&t->ids, pid);
    return true;
}

/* Report the first process or thread that is not running. */
static bool
check_ids(const struct target *t, struct diag *diag)
{
    bool processes = t->kind == TARGET_PROCESSES;
    for (size_t i = 0; i < t->ids.count; i++) {
        int32_t id = t->ids.at[i], process = procfs_process_of(id);
        if (process < 0) {
            diag_error(diag, NOWHERE, "there is no %s %d: has it ended?",
                       processes ? "process" : "thread", (int)id);
            return false;
        }
        if (processes && process != id) {
            diag_error(diag, NOWHERE, "%d is a thread of process %d: use -t %d, or -p %d", (int)id,
                       (int)process, (int)id, (int)process);
            return false;
        }
    }
    return true;
}

/* Open the cgroup's directory: the path itself, or below the usual mounts of cgroups version 2 and
 * of version 1's controller. */
static bool
open_cgroup(struct target *t, struct diag *diag)
{
    static const char *const roots[] = {"", "/sys/fs/cgroup/", "/sys/fs/cgroup/unified/",
                                        "/sys/fs/cgroup/perf_event/"};
    char path[4096];
    for (size_t i = 0; i < sizeof roots / sizeof *roots && t->cgroup_fd < 0; i++) {
        snprintf(path, sizeof path, "%s%s", roots[i], t->cgroup);
        t->cgroup_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    if (t->cgroup_fd < 0)
        diag_error(diag, NOWHERE,
                   "cgroup %s: %s, also below /sys/fs/cgroup: /proc/PID/cgroup has a process's",
                   t->cgroup, strerror(errno));
    return t->cgroup_fd >= 0;
}

/* Check that all given CPUs are online. Without any, use those that are online. */
static bool
find_cpus(struct target *t, struct diag *diag)
{
    struct numbers online = {0};
    bool found = true;
    numbers_online_cpus(&online);
    for (size_t i = 0; i < t->cpus.count && found; i++) {
        found = numbers_has(&online, t->cpus.at[i]);
        if (!found)
            diag_error(diag, NOWHERE,
                       "CPU %d is not online: /sys/devices/system/cpu/online has those that are",
                       (int)t->cpus.at[i]);
    }
    if (t->cpus.count == 0)
        t->cpus = online;
    else
        free(online.at);
    return found;
}

/* Check /proc. Processes are found there. All other recordings work without it, but lack names. */
static bool
check_proc(const struct target *t, struct diag *diag)
{
    if (t->kind == TARGET_PROCESSES || t->kind == TARGET_THREADS)
        return procmount_require(diag);
    if (!procmount_is_there())
        diag_warn(diag, NULL, NOWHERE,
                  PROCMOUNT_MISSING ", so processes that run already, and their functions, "
                                    "have no names; " PROCMOUNT_REMEDY);
    return true;
}

bool
target_find(struct target *t, struct diag *diag)
{
    t->cgroup_fd = -1;
    return check_proc(t, diag) && find_cpus(t, diag) && (t->name == NULL || find_name(t, diag)) &&
           check_ids(t, diag) && (t->kind != TARGET_CGROUP || open_cgroup(t, diag));
}

bool
target_has_tasks(const struct target *t)
{
    return t->kind == TARGET_PROCESSES || t->kind == TARGET_THREADS || t->kind == TARGET_COMMAND;
}

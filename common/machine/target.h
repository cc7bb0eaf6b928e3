/* The target of a recording: processes, threads, the machine, a cgroup, or a command that we
 * start. */
#ifndef MACHINE_TARGET_H
#define MACHINE_TARGET_H

#include "common/base/diag.h"
#include "common/machine/numbers.h"

enum target_kind {
    TARGET_NONE,
    TARGET_PROCESSES, /* with all their threads, and everything that those start */
    TARGET_THREADS,   /* only these threads */
    TARGET_SYSTEM,
    TARGET_CGROUP,
    TARGET_COMMAND /* a process that waits to execute it, with everything that it starts */
};

struct target {
    enum target_kind kind;
    struct numbers ids;  /* of processes or threads */
    struct numbers cpus; /* before target_find: those of the command line, or empty */
    const char *cgroup;  /* path, in the file system or below the root of cgroups */
    const char *name;    /* of the process to search; NULL: none */
    char **command;      /* ends with NULL */
    int cgroup_fd;       /* -1: not open */
};

/* Find what the command line named: the newest process with a name, which is reported; the cgroup's
 * directory; the CPUs. Return false, after a message, if there is none. */
bool target_find(struct target *t, struct diag *diag);

/* Return true if the counters are for tasks, not for every task on a CPU. */
bool target_has_tasks(const struct target *t);

#endif

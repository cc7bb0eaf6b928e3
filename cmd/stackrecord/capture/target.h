/* What is recorded: processes, threads, the machine, a cgroup, or a command that we start. */
#ifndef STACKRECORD_TARGET_H
#define STACKRECORD_TARGET_H

#include "cmd/stackrecord/capture/numbers.h"
#include "common/base/diag.h"

enum target_kind {
    TARGET_NONE,
    TARGET_PROCESSES, /* with all their threads, and all that those start */
    TARGET_THREADS,   /* these alone */
    TARGET_SYSTEM,
    TARGET_CGROUP,
    TARGET_COMMAND /* a process that waits to execute it, with all that it starts */
};

struct target {
    enum target_kind kind;
    struct numbers ids;  /* of processes or threads */
    struct numbers cpus; /* empty until target_find: those of the command line */
    const char *cgroup;  /* its path, in the file system or below its root */
    const char *name;    /* NULL, or of the process to look for */
    char **command;      /* ended by NULL */
    int cgroup_fd;       /* -1: not open */
};

/* Look for what the command line named: the newest process of a name, which it reports, the
 * cgroup's directory, the CPUs. Return false, after a message, if there is none. */
bool target_find(struct target *t, struct diag *diag);

/* Return true if the counters are of tasks, and not of every task on a CPU. */
bool target_has_tasks(const struct target *t);

#endif

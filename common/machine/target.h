/* What is recorded or counted: processes, threads, the whole machine, a cgroup, or a command that
 * this program starts. */
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
    TARGET_COMMAND /* the process that executes the command, with everything that it starts */
};

struct target {
    enum target_kind kind;
    struct numbers ids;  /* pids or thread ids */
    struct numbers cpus; /* before target_find: from the command line, or empty */
    const char *cgroup;  /* path, in the file system or below the root of cgroups */
    const char *name;    /* name of the process to search for; NULL: none */
    char **command;      /* ends with NULL */
    int cgroup_fd;       /* -1: not open */
};

/* Find what the command line names: the newest process with the name, which is reported; the
 * cgroup's directory; the CPUs. Return false, after a message, if one of them does not exist. */
bool target_find(struct target *t, struct diag *diag);

/* Return true if counters are opened for single tasks rather than for all tasks on a CPU. */
bool target_has_tasks(const struct target *t);

#endif

/* A process that runs Java. */
#ifndef JMAPS_JAVAPROCESS_H
#define JMAPS_JAVAPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct javaprocess {
    pid_t pid;
    uid_t uid;
    gid_t gid;

    /* private */
    int folder;    /* descriptor of /proc/PID; lookups in it fail once the process has ended */
    bool confined; /* seccomp(2) restricts it, as in a container */
};

/* Find the processes with the command name "java". Set *list to their pids, ascending; the caller
 * frees it. Return their number. */
size_t javaprocess_list(pid_t **list);

/* Open a process, and read its user and group. Return NULL, or why nothing can be run as them: the
 * process has ended, or has the rights of several users or groups, as a setuid program. Then do not
 * close it. */
const char *javaprocess_read(struct javaprocess *p, pid_t pid);

/* Return the folder of the JDK that runs the process; the caller frees it. Return NULL if it is not
 * known, or if the JDK's programs would have more rights here than the process has: if the process
 * is in other namespaces (a container), or confined. Do not trust the folder: the process's user
 * may own it. */
char *javaprocess_home(const struct javaprocess *p);

void javaprocess_close(struct javaprocess *p);

#endif

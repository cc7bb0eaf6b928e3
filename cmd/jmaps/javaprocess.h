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
    int folder;    /* /proc/PID, which gives nothing once the process is gone */
    bool confined; /* by seccomp(2), as in a container */
};

/* Find the processes with the command name "java". Set *list, which is to be freed, to their
 * numbers, ascending, and returns how many there are. */
size_t javaprocess_list(pid_t **list);

/* Read the user and the group of a process. Return NULL, or why nothing can be run as them: it is
 * gone, or it has the rights of several users, as a setuid program; then there is nothing to close.
 */
const char *javaprocess_read(struct javaprocess *p, pid_t pid);

/* Return the folder of the JDK that runs the process, to be freed. Return NULL if its programs
 * would have more rights here than there: the process is in other namespaces (a container), or
 * confined. Do not trust the folder: the process's user may own it. */
char *javaprocess_home(const struct javaprocess *p);

void javaprocess_close(struct javaprocess *p);

#endif

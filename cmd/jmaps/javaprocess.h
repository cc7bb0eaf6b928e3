/* A process that runs Java. */
#ifndef JMAPS_JAVAPROCESS_H
#define JMAPS_JAVAPROCESS_H

#include <stddef.h>
#include <sys/types.h>

struct javaprocess {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

/* Finds the processes with the command name "java". Sets *list, which is to be freed, to their
 * numbers, ascending, and returns how many there are. */
size_t javaprocess_list(pid_t **list);

/* Reads whose rights a process has. Returns NULL, or why nothing can be run with them: it is gone,
 * or it has those of several users, as a setuid program. */
const char *javaprocess_read(struct javaprocess *p, pid_t pid);

/* The folder of the JDK that runs the process, to be freed; NULL if it is not to be found, as that
 * of a container. Its user may have written what is in it. */
char *javaprocess_home(const struct javaprocess *p);

#endif

/* A command that is recorded from its start: a process that waits until the counters are there. */
#ifndef STACKRECORD_COMMAND_H
#define STACKRECORD_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

struct command {
    pid_t pid; /* 0: there is none */
    bool ended;
    int status; /* once it has ended: as the shell gives it, 128 + the signal that ended it */
    bool is_protected; /* the kernel lets others not look at it, and records nothing of it */

    /* private */
    int start; /* writing lets it execute the command */
    int error; /* reading gives the errno if it could not, and nothing if it could */
};

/* Create the process, which is a copy of this one and waits. With `to_stderr` the command's
 * standard output goes to standard error. Return false with errno if there can be no more
 * processes. */
bool command_prepare(struct command *c, char **argv, bool to_stderr);

/* Let it execute the command. Return 0, or the errno of why it could not, EPIPE if somebody has
 * killed it: the process has ended then. */
int command_start(struct command *c);

/* Sees whether it has ended; with `wait`, waits until it has. */
bool command_has_ended(struct command *c, bool wait);

#endif

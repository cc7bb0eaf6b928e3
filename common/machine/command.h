/* A command that is recorded from its start: its process waits with the exec until the counters are
 * open. */
#ifndef MACHINE_COMMAND_H
#define MACHINE_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

struct command {
    pid_t pid; /* 0: none */
    bool ended;
    /* Exit status once it has ended, as the shell reports it: 128 + signal number if a signal ended
     * it. */
    int status;
    bool is_protected; /* the kernel does not permit inspecting it, and records nothing of it */

    /* private */
    int start; /* written to let it execute the command */
    int error; /* gives the errno of a failed exec; at the end of file after a successful one */
};

/* Create the process, a copy of this one that waits. With `to_stderr` the command's standard output
 * goes to standard error. Return false with errno if no process can be created. */
bool command_prepare(struct command *c, char **argv, bool to_stderr);

/* Let the process execute the command. Return 0, or the errno of the failed exec: the process has
 * then ended. EPIPE: somebody has killed it before. */
int command_start(struct command *c);

/* Return true if the process has ended; with `wait`, wait until then. */
bool command_has_ended(struct command *c, bool wait);

#endif

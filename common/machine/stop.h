/* The signals that end a recording: SIGINT (Ctrl-C), SIGTERM and SIGHUP (the terminal was closed).
 * The first one ends it properly, with everything printed. The same signal again, at least a second
 * later, ends the program at once, in case the output is not read. SIGCHLD only wakes us. SIGUSR1 can
 * be taken as a request. */
#ifndef MACHINE_STOP_H
#define MACHINE_STOP_H

#include <stdbool.h>
#include <sys/types.h>

/* Start handling the signals, except SIGHUP if it is ignored (nohup). Return a descriptor that
 * becomes readable when one has come, and must not be closed; -1 with errno if there are no more
 * descriptors. */
int stop_open(void);

/* Request SIGTERM when our parent ends. `pid` is our parent, or an ancestor, if a script is in
 * between. Return false if it has ended already: then it is not an ancestor any more. */
bool stop_with_parent(pid_t pid);

/* Return the signal that has come, or 0. */
int stop_signal(void);

/* Return true if a process sent the signal to us; one from the terminal also reaches our
 * command. */
bool stop_was_sent(void);

/* Have SIGUSR1 ask for something from now on. */
void stop_await_request(void);

/* Return true once for SIGUSR1s that have come. */
bool stop_take_request(void);

/* Empty the descriptor of stop_open. */
void stop_drain(int fd);

#endif

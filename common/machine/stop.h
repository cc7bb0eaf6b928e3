/* The signals that end a recording: SIGINT (Ctrl-C), SIGTERM and SIGHUP (the terminal was closed).
 * The first one ends it properly, with everything printed. The same signal again, at least a second
 * later, ends the program at once, in case nobody reads the output. SIGCHLD only wakes the program.
 * SIGUSR1 can be a request: the program decides what for. */
#ifndef MACHINE_STOP_H
#define MACHINE_STOP_H

#include <stdbool.h>
#include <sys/types.h>

/* Start handling the signals, except SIGHUP if it is ignored (nohup). Return a descriptor that
 * becomes readable when a signal has come; do not close it. Return -1 with errno if there are too
 * few descriptors. */
int stop_open(void);

/* Have the kernel send SIGTERM when the parent process ends. `pid` is the parent or, with a script
 * in between, another ancestor. Return false if that process is no ancestor: it has ended
 * already. */
bool stop_with_parent(pid_t pid);

/* Return the signal that has come, or 0. */
int stop_signal(void);

/* Return true if a process sent the signal to this program. A signal from the terminal also reaches
 * the command that is recorded. */
bool stop_was_sent(void);

/* Treat SIGUSR1 as a request from now on. */
void stop_await_request(void);

/* Return true if SIGUSR1 has come since the last call. */
bool stop_take_request(void);

/* Read everything from the descriptor of stop_open, so that the next signal makes it readable
 * again. */
void stop_drain(int fd);

#endif

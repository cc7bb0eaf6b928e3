/* The signals that end a recording: SIGINT (Ctrl-C), SIGTERM and SIGHUP (the terminal was closed).
 * The first one ends it in order, with everything printed; the same signal again, a second later or
 * more, ends the program at once, for where the output is not read. SIGCHLD only wakes us. */
#ifndef STACKRECORD_STOP_H
#define STACKRECORD_STOP_H

#include <stdbool.h>
#include <sys/types.h>

/* Begin to wait for the signals, but for a SIGHUP that is ignored (nohup). Return a descriptor
 * which is readable once one has come, and is not to be closed; -1 with errno if there is none
 * left. */
int stop_open(void);

/* Let SIGTERM come when our parent ends. `pid` is our parent, or an ancestor, as where a script
 * stands between. Return false if that has ended already: then it is no ancestor of ours any more.
 */
bool stop_with_parent(pid_t pid);

/* Return the signal that has come, or 0. */
int stop_signal(void);

/* Return true if a process sent it to us; the terminal sends it to our command too. */
bool stop_was_sent(void);

/* Empty the descriptor of stop_open. */
void stop_drain(int fd);

#endif

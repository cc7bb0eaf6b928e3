/* SIGINT, which a terminal sends at Ctrl-C to all programs of a pipe at once. */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <stdbool.h>

/* For a signal handler: returns if this is the first signal of its number, or if it comes within a
 * second of the first, as where a key was pressed twice. A later one ends the process, as it does
 * by default. */
void interrupt_count(int signal_number);

/* If fd is a pipe or socket, SIGINT is only counted from now on: the program at the other end gets
 * it as well, and what that writes before it ends is read. A SIGINT that is ignored stays so. */
void interrupt_hold(int fd);

/* At the end of that pipe: SIGINT ends the process again, unless one has come already. */
void interrupt_release(void);

/* True between the two: a program that is started must not be ended by SIGINT either. */
bool interrupt_is_held(void);

#endif

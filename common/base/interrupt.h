/* SIGINT, which a terminal sends at Ctrl-C to all programs of a pipeline at once. */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <stdbool.h>

/* For a signal handler: return if this is the first signal of its number, or if it comes within a
 * second of the first, as from a key pressed twice. A later one ends the process, as by default. */
void interrupt_count(int signal_number);

/* If fd is a pipe or socket, only count SIGINT from now on: the program at the other end gets it as
 * well, and its last output is to be read. If SIGINT is ignored, it stays so. */
void interrupt_hold(int fd);

/* Call at the end of that pipe: SIGINT ends the process again, unless one has already come. */
void interrupt_release(void);

/* Return true between interrupt_hold and interrupt_release: SIGINT must not end programs started
 * now, either. */
bool interrupt_is_held(void);

#endif

/* Another program that runs besides this one, started without a shell. */
#ifndef BASE_SUBPROCESS_H
#define BASE_SUBPROCESS_H

#include <sys/types.h>

/* Start a program, which is searched in $PATH, with these descriptors as its standard input and
 * output; its messages are discarded. argv ends with NULL. The descriptors stay open here, too.
 * Return its pid, to be waited for; 0, with errno set, if it cannot be run. */
pid_t subprocess_run(const char *const *argv, int in, int out);

/* Wait until a process exits. Return its exit status, or 128 plus the number of the signal that
 * ended it; 255 if it cannot be waited for. */
int subprocess_wait(pid_t pid);

/* Detach this process, a fork that outlives the program: signals to the program's terminal or group
 * do not reach it, and readers of the program's output see its end. It works in "/", has /dev/null
 * as its standard descriptors, and keeps only the given ones of the descriptors up to 255. */
void subprocess_detach(const int *keep, size_t n);

#endif

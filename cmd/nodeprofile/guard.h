/* The guard: a child process that waits for the program's end. If the program is killed, the guard
 * does its last work, closing the inspector.
 *
 *     if (guard_start(&g, fds) == GUARD_WAKES)
 *         the program was killed: do its last work, and _exit
 *     ...
 *     guard_end(&g) */
#ifndef NODEPROFILE_GUARD_H
#define NODEPROFILE_GUARD_H

#include <sys/types.h>

struct guard {
    pid_t pid; /* 0: none */
    int end;   /* write end of a pipe, which the kernel closes when the program ends */
};

enum { GUARD_KEEPS = 2 /* number of descriptors that the guard keeps open */ };

enum guard_started { GUARD_WATCHES, GUARD_WAKES, GUARD_FAILED };

/* Start the guard. In the program, return GUARD_WATCHES, or GUARD_FAILED with errno set. In the
 * guard, return GUARD_WAKES once the program has ended without guard_end(). The guard has no open
 * descriptors except those in `keep` and /dev/null as the standard ones. */
enum guard_started guard_start(struct guard *g, const int keep[GUARD_KEEPS]);

/* End the guard, if there is one. */
void guard_end(struct guard *g);

#endif

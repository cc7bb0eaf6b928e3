/* A process that lives on if the program is killed, to do what the program then cannot: closing the
 * inspector.
 *
 *     if (guard_start(&g, fds) == GUARD_WAKES)
 *         do the program's last work, and _exit: it was killed
 *     ...
 *     guard_end(&g) */
#ifndef NODEPROFILE_GUARD_H
#define NODEPROFILE_GUARD_H

#include <sys/types.h>

struct guard {
    pid_t pid; /* 0: there is none */
    int end;   /* of the pipe that the kernel closes when the program ends */
};

enum { GUARD_KEEPS = 2 };

enum guard_started { GUARD_WATCHES, GUARD_WAKES, GUARD_FAILED };

/* Start the guard. Return GUARD_WATCHES to the program, or GUARD_FAILED with errno set; and, in the
 * guard, GUARD_WAKES if the program ends without guard_end. The guard has no descriptors but those to
 * keep, and /dev/null as the standard ones. */
enum guard_started guard_start(struct guard *g, const int keep[GUARD_KEEPS]);

/* End the guard, if there is one. */
void guard_end(struct guard *g);

#endif

/* The names of system calls by their numbers, and of the errors that they return. */
#ifndef TRACEPOINT_SYSCALLNAMES_H
#define TRACEPOINT_SYSCALLNAMES_H

#include "common/base/span.h"

enum { SYSCALLNAMES_MAX = 512 }; /* all known numbers are smaller */

/* Set names[i] to the name of system call i, or to an empty span if none is known. `machine` is an
 * architecture, as uname -m prints it; `compat`: of 32-bit programs on it. Return false for an
 * architecture that is not in our tables: then all are empty. */
bool syscallnames_of(struct span machine, bool compat, struct span names[static SYSCALLNAMES_MAX]);

/* Return the name of an error, "ENOENT" for 2, or an empty span. Also those that only the kernel
 * and its tracers see, such as ERESTARTSYS. */
struct span syscallnames_error(unsigned number);

#endif

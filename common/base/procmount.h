/* Whether the kernel's process file system, proc(5), is mounted. */
#ifndef BASE_PROCMOUNT_H
#define BASE_PROCMOUNT_H

#include "common/base/diag.h"

/* Message of all programs if it is not: each process seems to have ended, and none to run Java. */
#define PROCMOUNT_MISSING "/proc is not mounted"
#define PROCMOUNT_REMEDY  "as root: mount -t proc proc /proc"

/* Return true if it is mounted. */
bool procmount_is_there(void);

/* Return true if it is mounted. Otherwise print an error and return false. */
bool procmount_require(struct diag *diag);

#endif

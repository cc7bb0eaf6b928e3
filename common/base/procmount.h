/* Whether the kernel's file system about processes, proc(5), is there. */
#ifndef BASE_PROCMOUNT_H
#define BASE_PROCMOUNT_H

#include "common/base/diag.h"

/* What programs say without it: each process seems to have ended, and none to run Java. */
#define PROCMOUNT_MISSING "/proc is not mounted"
#define PROCMOUNT_REMEDY  "as root: mount -t proc proc /proc"

/* Return true if it is mounted. */
bool procmount_is_there(void);

/* Return true if it is there; else false after an error. */
bool procmount_require(struct diag *diag);

#endif

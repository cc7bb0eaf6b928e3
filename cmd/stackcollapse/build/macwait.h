/* Functions of macOS in which a thread waits, as sample(1) prints them. */
#ifndef STACKCOLLAPSE_MACWAIT_H
#define STACKCOLLAPSE_MACWAIT_H

#include "common/base/span.h"

/* Return true for the name of a function that blocks in the kernel: "mach_msg_trap", "kevent". */
bool macwait_is(struct span function);

#endif

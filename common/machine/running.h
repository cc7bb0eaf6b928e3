/* Tracks which of the recorded processes or threads still run, if the end of the counters does not
 * tell, since all tasks had to be recorded. */
#ifndef MACHINE_RUNNING_H
#define MACHINE_RUNNING_H

#include "common/machine/numbers.h"

/* {0} is empty. */
struct running {
    struct numbers ids;
    bool ended; /* none ran at the last two calls of running_check() */
};

/* Add a process or thread. `running` is a struct running. */
void running_add(void *running, uint32_t id);

/* Check with the kernel, since records of ends may be lost. Call this after each round. It takes
 * two calls to set `ended`, since the record of a process that the last one started comes in the
 * second round at the latest. */
void running_check(struct running *r);

#endif

/* Tracks which of the recorded processes or threads still run. Needed if the counters do not end
 * with them, since they had to be opened for all tasks. */
#ifndef MACHINE_RUNNING_H
#define MACHINE_RUNNING_H

#include "common/machine/numbers.h"

/* {0} is empty. */
struct running {
    struct numbers ids;
    bool ended; /* at the last two calls of running_check(), none still ran */
};

/* Add a process or thread. `running` is a struct running. */
void running_add(void *running, uint32_t id);

/* Ask the kernel which still run, since exit records may be lost. Call this after each round of
 * reading records. `ended` takes two calls, since the record of a process that the last one started
 * comes in the second round at the latest. */
void running_check(struct running *r);

#endif

/* Which of the recorded processes or threads still run, where the end of the counters does not tell,
 * since all tasks had to be recorded. */
#ifndef STACKRECORD_RUNNING_H
#define STACKRECORD_RUNNING_H

#include "cmd/stackrecord/capture/numbers.h"

/* {0} has none. */
struct running {
    struct numbers ids;
    bool ended; /* none ran at the last two calls of running_check() */
};

/* Add one. running: struct running. */
void running_add(void *running, uint32_t id);

/* Ask the kernel, since records of ends may be lost. To be called after each round: the record of a
 * process that the last one started comes in the second at the latest. */
void running_check(struct running *r);

#endif

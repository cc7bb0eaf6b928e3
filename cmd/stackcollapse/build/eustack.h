/* Stacks of eu-stack, leaf first, each after the line of its thread. */
#ifndef STACKCOLLAPSE_EUSTACK_H
#define STACKCOLLAPSE_EUSTACK_H

#include "cmd/stackcollapse/build/reader.h"

/* Take the line of a process or a thread; return false if it is another one. */
bool eustack_take(struct reader *f, struct span line);

/* Emit the stack, below the numbers of the process and the thread as the options want. */
void eustack_finish(struct reader *f);

#endif

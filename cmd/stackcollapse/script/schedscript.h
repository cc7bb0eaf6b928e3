/* What stackcollapse-perf-sched.awk computes: see perfsched.c. */
#ifndef STACKCOLLAPSE_SCHEDSCRIPT_H
#define STACKCOLLAPSE_SCHEDSCRIPT_H

#include "cmd/stackcollapse/formats.h"

/* As the functions of struct format. */
void schedscript_fold(struct collapse *c, void **state);
void schedscript_finish(void *state);
void schedscript_end(void *state);

#endif

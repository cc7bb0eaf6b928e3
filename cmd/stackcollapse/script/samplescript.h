/* What stackcollapse-sample.awk computes: see sample.c. */
#ifndef STACKCOLLAPSE_SAMPLESCRIPT_H
#define STACKCOLLAPSE_SAMPLESCRIPT_H

#include "cmd/stackcollapse/formats.h"

/* True if a thread waits in this function, which has no module before its name. */
bool samplescript_waits(struct span function);

/* As the functions of struct format. */
void samplescript_fold(struct collapse *c, void **state);
void samplescript_end(void *state);

#endif

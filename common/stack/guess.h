/* Which of the two formats an input is in. */
#ifndef STACK_GUESS_H
#define STACK_GUESS_H

#include "common/base/lines.h"

/* In the order of --from=perf|folded|guess. */
enum input_format { INPUT_PERF, INPUT_FOLDED, INPUT_GUESS };

/* The format of the first line that can be in one of them only. If there is none near the beginning
 * it is INPUT_PERF. Consumes nothing. */
enum input_format guess_format(struct lines *l);

#endif

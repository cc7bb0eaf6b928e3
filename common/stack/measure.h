/* Events whose samples are not equal: the period of each is what was measured. Of most events the
 * period only says how often the kernel took a sample, and a sample stands for one. */
#ifndef STACK_MEASURE_H
#define STACK_MEASURE_H

#include "common/base/span.h"

/* True if the samples of this event, named as perf script prints it, are to be counted by their
 * periods unless the user asks for something else. */
bool measure_is_period(struct span event);

#endif

/* The line before a stack of wallClockProfiler: "99.791% ==== (17194 samples)". */
#ifndef STACKCOLLAPSE_WCPSAMPLES_H
#define STACKCOLLAPSE_WCPSAMPLES_H

#include "common/base/decimal.h"

/* Set *samples to the number of samples that such a line has. Return false, with *samples
 * unchanged, if the line is another one. */
bool wcpsamples_parse(struct span line, struct decimal *samples);

#endif

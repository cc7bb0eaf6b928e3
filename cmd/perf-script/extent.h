/* The times at which the samples of the whole input begin and end, for --time with a percent. */
#ifndef PERF_SCRIPT_EXTENT_H
#define PERF_SCRIPT_EXTENT_H

#include <stdint.h>

#include "cmd/perf-script/operands.h"

/* The times, in ns, of the earliest and the latest sample, as they are printed: those of perf.data
 * cut to microseconds, unless `nanoseconds` are printed. False where no sample has a time. The
 * operands are of operands_reopenable. */
bool extent_measure(struct diag *diag, const struct operands *operands, bool nanoseconds,
                    uint64_t *first, uint64_t *last);

#endif

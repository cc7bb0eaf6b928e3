/* Events whose samples differ in weight: the period of each is the measured value. For most events
 * the period only tells how often the kernel took a sample, and each sample counts 1. */
#ifndef STACK_MEASURE_H
#define STACK_MEASURE_H

#include "common/base/decimal.h"
#include "common/stack/model/sample.h"

enum weight {
    WEIGHT_SAMPLES,  /* a sample counts 1 */
    WEIGHT_PERIOD,   /* its period */
    WEIGHT_BY_EVENT, /* its period for events that measure time, such as off-cpu, else 1 */
};

/* Return true if samples of the event count their period, not 1. */
bool measure_counts_period(enum weight weight, struct span event);

/* Return the count of the sample with this header. If its period is needed but missing, return 1
 * and count the sample in *no_period. Period "0" counts 1, as in stackcollapse-perf.pl. The period
 * of text is parsed here, since most events do not need it: parsing all of them took 1.5 % of
 * stackcollapse. */
struct decimal measure_sample(enum weight weight, const struct perf_header *h, uint64_t *no_period);

#endif

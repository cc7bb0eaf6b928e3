/* Events whose samples are not equal: the period of each is what was measured. Of most events the
 * period only says how often the kernel took a sample, and a sample stands for one. */
#ifndef STACK_MEASURE_H
#define STACK_MEASURE_H

#include "common/base/decimal.h"
#include "common/stack/model/sample.h"

enum weight {
    WEIGHT_SAMPLES,  /* a sample counts 1 */
    WEIGHT_PERIOD,   /* its period */
    WEIGHT_BY_EVENT, /* its period for events that measure time, such as off-cpu, else 1 */
};

/* Return true if samples of the event count their period, and not 1. */
bool measure_counts_period(enum weight weight, struct span event);

/* What the sample of this header counts. A sample whose period is wanted and missing counts 1 and
 * is counted in *no_period; period "0" counts 1, as in stackcollapse-perf.pl. Of text the period is
 * parsed here, since for most events it is not needed: parsing all took 1.5 % of stackcollapse. */
struct decimal measure_sample(enum weight weight, const struct perf_header *h, uint64_t *no_period);

#endif

#include "common/stack/model/measure.h"

#include "common/base/num.h"

static const struct span measured[] = {
    SPAN("wall"),        /* stackrecord --wall: microseconds that a thread ran or waited */
    SPAN("off-cpu"),     /* stackrecord --off-cpu: microseconds that a thread did not run */
    SPAN("offcpu-time"), /* perf record --off-cpu: the same in nanoseconds */
};

static bool
counts_one(enum weight weight, struct span event)
{
    return weight == WEIGHT_SAMPLES ||
           (weight == WEIGHT_BY_EVENT &&
            !span_eq_any(event, measured, sizeof measured / sizeof *measured));
}

struct decimal
measure_sample(enum weight weight, const struct perf_header *h, uint64_t *no_period)
{
    struct decimal w = {1, 0};
    if (counts_one(weight, h->field[PERF_EVENT]))
        return w;
    *no_period += h->field[PERF_PERIOD].len == 0;
    if (num_u64(h->field[PERF_PERIOD], &w.whole) && span_eq(h->field[PERF_PERIOD], SPAN("0")))
        w.whole = 1;
    return w;
}

#include "common/stack/model/measure.h"

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
    if (!perf_header_has(h, PERF_PERIOD))
        ++*no_period;
    else if (h->period > 0 || h->field[PERF_PERIOD].len > 1)
        w.whole = h->period;
    return w;
}

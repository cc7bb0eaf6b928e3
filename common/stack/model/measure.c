#include "common/stack/model/measure.h"

#include "common/base/num.h"

static const struct span measured[] = {
    SPAN("wall"),        /* stackrecord --wall: microseconds in which a thread ran or waited */
    SPAN("off-cpu"),     /* stackrecord --off-cpu: microseconds in which a thread did not run */
    SPAN("syscall"),     /* stackrecord --syscalls: nanoseconds taken by a system call */
    SPAN("offcpu-time"), /* perf record --off-cpu: nanoseconds in which a thread did not run */
};

bool
measure_counts_period(enum weight weight, struct span event)
{
    return weight == WEIGHT_PERIOD ||
           (weight == WEIGHT_BY_EVENT &&
            span_eq_any(event, measured, sizeof measured / sizeof *measured));
}

struct decimal
measure_sample(enum weight weight, const struct perf_header *h, uint64_t *no_period)
{
    struct decimal w = {1, 0};
    if (!measure_counts_period(weight, h->field[PERF_EVENT]))
        return w;
    uint64_t period = h->period;
    if (h->is_text ? !num_u64(h->field[PERF_PERIOD], &period) : !perf_header_has(h, PERF_PERIOD))
        ++*no_period;
    else if (period > 0 || h->field[PERF_PERIOD].len > 1)
        w.whole = period;
    return w;
}

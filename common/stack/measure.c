#include "common/stack/measure.h"

static const struct span measured[] = {
    SPAN("off-cpu"),     /* stackrecord --off-cpu: microseconds that a thread did not run */
    SPAN("offcpu-time"), /* perf record --off-cpu: the same in nanoseconds */
};

bool
measure_is_period(struct span event)
{
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        if (span_eq(event, measured[i]))
            return true;
    return false;
}

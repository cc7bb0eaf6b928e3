#include "cmd/stackcollapse/build/timeunit.h"

bool
timeunit_places(struct span unit, int *places)
{
    static const struct {
        struct span name, letters;
        int places;
    } units[] = {{SPAN("nanoseconds"), SPAN("ns"), -3},
                 {SPAN("microseconds"), SPAN("us"), 0},
                 {SPAN("milliseconds"), SPAN("ms"), 3},
                 {SPAN("seconds"), SPAN("s"), 6}};
    *places = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_eq(unit, units[i].name) || span_eq(unit, units[i].letters)) {
            *places = units[i].places;
            return true;
        }
    return false;
}

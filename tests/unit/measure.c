#include "tests/unit/test.h"

#include "common/stack/model/measure.h"

TEST("a sample counts 1 or its period, as is wanted for its event")
{
    static const struct {
        enum weight weight;
        struct span event, period;
        uint64_t count, without;
    } rows[] = {
        {WEIGHT_SAMPLES, SPAN("cycles"), SPAN("300"), 1, 0},
        {WEIGHT_SAMPLES, SPAN("off-cpu"), SPAN("300"), 1, 0},
        {WEIGHT_PERIOD, SPAN("cycles"), SPAN("300"), 300, 0},
        {WEIGHT_PERIOD, SPAN("cycles"), SPAN("0"), 1, 0},
        {WEIGHT_PERIOD, SPAN("cycles"), SPAN(""), 1, 1},
        {WEIGHT_BY_EVENT, SPAN("cycles"), SPAN("300"), 1, 0},
        {WEIGHT_BY_EVENT, SPAN("cycles"), SPAN(""), 1, 0},
        {WEIGHT_BY_EVENT, SPAN("off-cpu"), SPAN("300"), 300, 0},
        {WEIGHT_BY_EVENT, SPAN("offcpu-time"), SPAN(""), 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct perf_header h = {.event_width = 0};
        uint64_t without = 0;
        h.field[PERF_EVENT] = rows[i].event;
        h.field[PERF_PERIOD] = rows[i].period;
        perf_header_parse(&h, PERF_NUMBERS);
        CHECK(measure_sample(rows[i].weight, &h, &without).whole == rows[i].count);
        CHECK(without == rows[i].without);
    }
}

#include "tests/unit/test.h"

#include "common/stack/model/sample.h"

static struct perf_header
parsed(unsigned wanted, const char *id, const char *time, const char *period)
{
    struct perf_header h = {0};
    h.field[PERF_PID] = h.field[PERF_TID] = h.field[PERF_CPU] = span_cstr(id);
    h.field[PERF_TIME] = span_cstr(time);
    h.field[PERF_PERIOD] = span_cstr(period);
    perf_header_parse(&h, wanted);
    return h;
}

TEST("the numbers of a header are those of its texts, as far as they are there and wanted")
{
    struct perf_header h = parsed(PERF_NUMBERS, "4242", "12.345678", "104345");
    CHECK(h.has == PERF_NUMBERS && h.pid == 4242 && h.tid == 4242 && h.cpu == 4242);
    CHECK(h.time == 12345678000 && h.period == 104345);
    h = parsed(PERF_NUMBERS, "-1", "", "");
    CHECK(h.has == (1u << PERF_PID | 1u << PERF_TID | 1u << PERF_CPU) && h.tid == -1);
    h = parsed(1u << PERF_PERIOD, "1", "2.3", "4");
    CHECK(h.has == 1u << PERF_PERIOD && h.period == 4);
    CHECK(parsed(PERF_NUMBERS, "", "yesterday", "").has == 0);
}

TEST("numbers of more than 64 bits saturate, and digits after the ninth decimal place are dropped")
{
    struct perf_header h = parsed(PERF_NUMBERS, "18446744073709551616", "99999999999999999999.5",
                                  "99999999999999999999");
    CHECK(h.tid == INT64_MAX && h.time == UINT64_MAX && h.period == UINT64_MAX);
    CHECK(parsed(PERF_NUMBERS, "", "0.1234567899", "").time == 123456789);
}

TEST("a number is printed as it was read, or as perf prints it")
{
    char text[PERF_NUMBER];
    struct perf_header h = parsed(PERF_NUMBERS, "007", "1.50", "");
    CHECK_TEXT(perf_header_text(&h, PERF_TID, text), "007");
    CHECK_TEXT(perf_header_text(&h, PERF_TIME, text), "1.50");
    h = (struct perf_header){
        .has = PERF_NUMBERS, .pid = -1, .tid = 42, .time = 1000000005, .period = 7};
    CHECK_TEXT(perf_header_text(&h, PERF_PID, text), "-1");
    CHECK_TEXT(perf_header_text(&h, PERF_TID, text), "42");
    CHECK_TEXT(perf_header_text(&h, PERF_PERIOD, text), "7");
    CHECK_TEXT(perf_header_text(&h, PERF_TIME, text), "1.000000");
    h.nanoseconds = true;
    CHECK_TEXT(perf_header_text(&h, PERF_TIME, text), "1.000000005");
    h.has = 0;
    CHECK(perf_header_text(&h, PERF_TIME, text).len == 0);
}

/* Which time --between means. */
#include "cmd/stackfilter/timerange.h"

#include <stdlib.h>
#include <time.h>

#include "tests/unit/test.h"

/* 2026-11-27T14:05:00Z; 15:05 in the zone of these tests */
#define NOW UINT64_C(1795788300)

static const char *
range_at(const char *text, uint64_t now)
{
    static char shown[TIMERANGE_TEXT];
    struct timerange r;
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    const char *problem = timerange_parse(&r, span_cstr(text), now);
    return problem != NULL ? problem : timerange_text(shown, &r);
}

static struct span
range(const char *text)
{
    return span_cstr(range_at(text, NOW));
}

TEST("a time without a date is the last such time, and its end the first after it")
{
    CHECK_TEXT(range("14:02Z..14:07Z"), "2026-11-27T14:02:00Z to 2026-11-27T14:07:00Z");
    CHECK_TEXT(range("14:06Z..14:07Z"), "2026-11-26T14:06:00Z to 2026-11-26T14:07:00Z");
    CHECK_TEXT(range("14:05Z.."), "the time ends before it begins");
    CHECK_TEXT(range("14:04:30Z.."), "2026-11-27T14:04:30Z to 2026-11-27T14:05:00Z");
    CHECK_TEXT(range("15:02..15:07"), "2026-11-27T15:02:00+0100 to 2026-11-27T15:07:00+0100");
    CHECK_TEXT(range("2026-11-25T23:00..01:00"),
               "2026-11-25T23:00:00+0100 to 2026-11-26T01:00:00+0100");
}

TEST("a range may have midnight in it, or the end of a month or year")
{
    CHECK_TEXT(range("23:50..00:10"), "2026-11-26T23:50:00+0100 to 2026-11-27T00:10:00+0100");
    CHECK_TEXT(span_cstr(range_at("23:50Z..00:10Z", 1767225900)), /* five past midnight */
               "2025-12-31T23:50:00Z to 2026-01-01T00:10:00Z");
    CHECK_TEXT(range("2024-02-29T23:50Z..00:10Z"), "2024-02-29T23:50:00Z to 2024-03-01T00:10:00Z");
}

TEST("local times follow the change to summer time")
{
    CHECK_TEXT(range("2026-03-29T01:00..2026-03-29T04:00"),
               "2026-03-29T01:00:00+0100 to 2026-03-29T04:00:00+0200");
}

TEST("what is no range is said, also a day that its month has not")
{
    const char *const none[] = {"",           "14:02",         "..",           "14:02-14:07",
                                "24:00..",    "14:60..",       "14:2..",       "2026-02-29T00:00..",
                                "2026-11-27", "2026-11-27Z..", "14:02 ..15:00"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK(span_starts(range(none[i]), SPAN("not FROM..TO")));
    CHECK(span_starts(range("14:02..14"), SPAN("after .. there is no time")));
    CHECK(span_starts(range("14:02..14:07Z"), SPAN("one of the times has a Z")));
    CHECK_TEXT(range("2026-11-27T14:02..2026-11-27T14:02"), "the time ends before it begins");
}

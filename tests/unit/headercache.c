/* Headers read as earlier ones were. */
#include "common/stack/text/headercache.h"
#include "common/stack/text/perfline.h"

#include "tests/unit/test.h"

static const char *const lines[] = {
    "node 24636/25607 [000] 4794564.109216:     104345 cycles:u:",
    "V8 WorkerThread 24636/25607 [012]  1.000000: 1 cpu-clock:uhpppH: ",
    "swapper     0 [003] 12.345678: 250000 L1-dcache-loads: ",
    "kworker/u8:2-ev  97 [001] d..1. 12.345678: sched:sched_switch: prev_comm=a1 prev_pid=2",
    "java 19983 [002]  9.500000: 1 cycles: ",
    "   perf  1001  99.000001:          1 cpu-clock:      7f1e2215d058 uv_run+0x12 (/usr/bin/node)",
    "a b 1 2/-1 [-1] 3.4: 5 c6:",
};

enum { LINES = sizeof lines / sizeof *lines };

static bool
same(struct span a, struct span b)
{
    return a.len == b.len && (a.len == 0 || a.ptr == b.ptr);
}

/* True where the text begins with a header that is read by example, and just as it would be taken
 * apart. */
static bool
reads(const struct headercache *t, struct span text)
{
    struct perf_header by_example, apart;
    struct span line = span_head(text, headercache_find(t, text, &by_example));
    return line.len > 0 && perf_line_parse(line, &apart) == PERF_LINE_HEADER &&
           same(by_example.field[PERF_COMM], apart.field[PERF_COMM]) &&
           same(by_example.field[PERF_PID], apart.field[PERF_PID]) &&
           same(by_example.field[PERF_TID], apart.field[PERF_TID]) &&
           same(by_example.field[PERF_CPU], apart.field[PERF_CPU]) &&
           same(by_example.field[PERF_TIME], apart.field[PERF_TIME]) &&
           same(by_example.field[PERF_PERIOD], apart.field[PERF_PERIOD]) &&
           same(by_example.field[PERF_EVENT], apart.field[PERF_EVENT]) &&
           same(by_example.field[PERF_REST], apart.field[PERF_REST]);
}

static void
add(struct headercache *t, struct span line)
{
    struct perf_header h;
    CHECK(perf_line_parse(line, &h) == PERF_LINE_HEADER);
    headercache_add(t, line, &h);
}

/* The i-th line with its newline and other digits: each one after the first 16 bytes, which choose
 * the slot, is changed by an amount that depends on `turn`. Good until the next call. */
static struct span
turned(size_t i, int turn)
{
    static char text[256];
    size_t len = strlen(lines[i]);
    memcpy(text, lines[i], len);
    for (size_t at = 16; at < len; at++)
        if (is_digit(text[at]))
            text[at] = "0123456789"[(text[at] - '0' + turn * (int)(at % 7 + 1)) % 10];
    text[len] = '\n';
    return span_of(text, len + 1);
}

TEST("a header with other digits than an earlier one has the fields that it has taken apart")
{
    for (size_t i = 0; i < LINES; i++) {
        struct headercache t = {0};
        add(&t, span_cstr(lines[i]));
        for (int turn = 0; turn < 10; turn++)
            CHECK(reads(&t, turned(i, turn)));
    }
}

TEST("examples of different threads stand side by side")
{
    struct headercache t = {0};
    size_t found = 0;
    for (size_t i = 0; i < LINES; i++)
        add(&t, span_cstr(lines[i]));
    for (size_t i = 0; i < LINES; i++)
        found += reads(&t, turned(i, 3));
    CHECK(found >= LINES - 1); /* two may want the same place */
}

TEST("a header that differs in anything but digits has no example")
{
    struct perf_header h;
    for (size_t i = 0; i < LINES; i++) {
        struct headercache t = {0};
        add(&t, span_cstr(lines[i]));
        struct span text = turned(i, 1);
        for (size_t at = 0; at < text.len; at++) {
            char *c = (char *)text.ptr + at, was = *c;
            for (int other = 0; other < 256; other++) {
                *c = (char)other;
                bool same_byte = *c == was, digits = is_digit(*c) && is_digit(was);
                bool found = headercache_find(&t, text, &h) > 0;
                CHECK(found ? same_byte || digits : !same_byte);
                CHECK(!found || reads(&t, text));
                /* The first 16 bytes choose the slot, so another digit there may miss. */
                CHECK(found || !digits || at < 16);
            }
            *c = was;
        }
    }
}

TEST("a line is read by example only where all of it is there")
{
    struct headercache t = {0};
    struct perf_header h;
    CHECK(headercache_find(&t, turned(0, 0), &h) == 0);
    add(&t, span_cstr(lines[0]));
    struct span text = turned(0, 0);
    for (size_t len = 0; len < text.len; len++)
        CHECK(headercache_find(&t, span_head(text, len), &h) == 0);
    CHECK(headercache_find(&t, text, &h) == text.len - 1);
}

TEST("short and very long headers are no examples")
{
    struct headercache t = {0};
    struct perf_header h;
    char text[400];
    add(&t, SPAN("a 1 2.5: c:"));
    CHECK(headercache_find(&t, SPAN("a 1 2.5: c:\n"), &h) == 0);
    for (size_t name = 1; name < 300; name++) {
        int len = snprintf(text, sizeof text, "node 1 2.3: 4 %0*d:\n", (int)name, 5);
        add(&t, span_of(text, (size_t)len - 1));
        bool found = headercache_find(&t, span_of(text, (size_t)len), &h) > 0;
        CHECK(found == (len - 1 >= 16 && (size_t)len - 1 <= TEMPLATE_TEXT));
        CHECK(!found || h.field[PERF_EVENT].len == name);
    }
}

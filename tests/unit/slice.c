#include "tests/unit/test.h"

#include <time.h>

#include "common/stack/model/series.h"
#include "common/stack/model/slicefile.h"
#include "common/stack/model/turns.h"

enum { MS = 1000000 };

static struct out out;

static struct span
written(struct profile *p)
{
    out_open(&out, -1, "nowhere");
    profile_write(p, &out);
    return span_of(out.buf, out.len);
}

/* Hold a stack of one function, in the slice of 100 s. */
static void
hold(struct turns *t, struct profile *p, int64_t tid, uint64_t time, const char *name)
{
    const uint32_t names[] = {profile_name(p, SPAN("@100.000")), profile_name(p, span_cstr(name))};
    const struct perf_header h = {.tid = tid, .time = time};
    turns_hold(t, p, &h, names, 2, (struct decimal){1, 0});
}

static void
end(struct turns *t, struct profile *p, int64_t tid, uint64_t time, uint64_t us)
{
    const struct perf_header h = {.tid = tid, .time = time, .period = us};
    turns_add(t, p, &h);
}

TEST("a slice's frame is read as it was written, with the stack after it")
{
    const struct slice slices[] = {
        {.ms = 0},
        {.ms = 4794564109},
        {.ms = 4794564109, .length = 412, .tid = 4242},
        {.ms = 4794564109, .length = 412, .tid = 4242, .stopped = 200},
        {.ms = 4794564109, .length = 412, .tid = 4242, .goes_on = true},
        {.ms = 1, .length = UINT32_MAX, .tid = UINT32_MAX, .stopped = UINT32_MAX, .goes_on = true},
    };
    char text[SLICE_TEXT + 8];
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
        struct span frame = slice_frame(text, slices[i]), stack;
        struct slice read = {.ms = 7};
        memcpy(text + frame.len, ";main", 5);
        stack = span_of(text, frame.len + 5);
        CHECK(slice_take(&stack, &read));
        CHECK_TEXT(stack, "main");
        CHECK(read.ms == slices[i].ms && read.length == slices[i].length &&
              read.tid == slices[i].tid && read.stopped == slices[i].stopped &&
              read.goes_on == slices[i].goes_on);
    }
}

TEST("a frame that is not quite that of a slice, or the only one, is none")
{
    const char *const others[] = {"",
                                  "@;a",
                                  "@1;a",
                                  "@1.00;a",
                                  "@1.000",
                                  "@1.000+;a",
                                  "@1.000+1;a",
                                  "@1.000+1.0;a",
                                  "@1.000/7;a",
                                  "@1.000+1.000;a",
                                  "@1.000+1.000/",
                                  "@1.000+1.000/;a",
                                  "@1.000+1.000/7",
                                  "@1.000+0.000/7;a",
                                  "@1.000-1.000/7;a",
                                  "@1.000+1.000./7;a",
                                  "@1.000+1.000-1/7;a",
                                  "@1.000+1.000-1.001/7;a",
                                  "@1.000+1.000-1.000../7;a",
                                  "@1.000+1.000..;a",
                                  "@1.000+4294967.296/7;a",
                                  "@1.000+1.000/4294967296;a",
                                  "@1.000/60:;a",
                                  "@1.000/60:0;a",
                                  "@1.000/60:,;a",
                                  "@1.000/60:1",
                                  "@1.000/60:1.5;a",
                                  "@1.000/60:-1;a",
                                  "@1.000/0:1;a",
                                  "@1.000/:1;a",
                                  "@1.000/3601:1;a",
                                  "@1.000/60:4294967295,1;a",
                                  "@1.000/60:18446744073709551615,1;a",
                                  "@9223372036854776.000/60:1,1;a",
                                  "@1.000+1.000/7/60:1;a"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct span stack = span_cstr(others[i]);
        struct slice slice = {.ms = 7};
        CHECK(!slice_take(&stack, &slice));
        CHECK(slice.ms == 7 && stack.len == strlen(others[i]));
    }
}

/* The slices of a stack, and their shares of the count. */
static const char *
shares(const char *text, struct decimal count)
{
    static char shown[512];
    struct span stack = span_cstr(text);
    struct slice slice = {0};
    struct series s;
    size_t n = 0;
    shown[0] = '\0';
    CHECK(slice_take(&stack, &slice));
    CHECK_TEXT(stack, "a");
    for (series_start(&s, &slice); series_next(&s);) {
        char frame[SLICE_TEXT], share[DECIMAL_TEXT];
        n += (size_t)snprintf(shown + n, sizeof shown - n, "%.*s %.*s,",
                              SPAN_ARG(slice_frame(frame, s.slice)),
                              SPAN_ARG(decimal_text(share, series_share(&s, count))));
    }
    return shown;
}

TEST(
    "a series has a share of the stack's count for each slice with a count, and a slice has it all")
{
    const struct decimal five = {5, 0}, ten = {10, 0}, odd = {7, 500000000000000000};
    CHECK_TEXT(span_cstr(shares("@60.000/60:3,,0,2;a", five)), "@60.000 3,@240.000 2,");
    CHECK_TEXT(span_cstr(shares("@60.000/60:3,,0,2;a", ten)), "@60.000 6,@240.000 4,");
    CHECK_TEXT(span_cstr(shares("@0.500/1:1,1,1;a", odd)), "@0.500 2,@1.500 2,@2.500 3.5,");
    CHECK_TEXT(span_cstr(shares("@60.000/10:,4,;a", five)), "@70.000 5,");
    CHECK_TEXT(span_cstr(shares("@60.000;a", odd)), "@60.000 7.5,");
    CHECK_TEXT(span_cstr(shares("@1.000+0.412/7;a", five)), "@1.000+0.412/7 5,");
    const struct decimal full = {UINT64_MAX, 0}, most = {UINT64_MAX - 1, 0};
    CHECK_TEXT(span_cstr(shares("@0.000/60:1,4294967294;a", full)),
               "@0.000 4294967297,@60.000 18446744069414584318,");
    CHECK_TEXT(span_cstr(shares("@0.000/60:4294967294,1;a", most)),
               "@0.000 18446744069414584317,@60.000 4294967297,");
}

TEST("the frame of a series goes up to its counts")
{
    char text[SLICE_TEXT];
    CHECK_TEXT(slice_frame(text, (struct slice){.ms = 60000, .step = 10000}), "@60.000/10:");
}

TEST("a turn is the slice of the stacks with its thread and time, and of no others")
{
    FREED(profile_free) struct profile p = {0};
    FREED(turns_free) struct turns t = {0};
    hold(&t, &p, 7, 100500ULL * MS, "mine");
    hold(&t, &p, 8, 100500ULL * MS, "other");
    end(&t, &p, 7, 100500ULL * MS, 412000);
    end(&t, &p, 7, 100501ULL * MS, 99000);
    end(&t, &p, 9, 100500ULL * MS, 99000);
    hold(&t, &p, 7, 100600ULL * MS, "later");
    turns_add(&t, &p, NULL);
    CHECK_TEXT(written(&p), "@100.000;later 1\n@100.000;other 1\n@100.088+0.412/7;mine 1\n");
}

TEST("a turn's slice says that the process was stopped, and that the recording ended before it")
{
    FREED(profile_free) struct profile p = {0};
    FREED(turns_free) struct turns t = {0};
    const struct span texts[] = {SPAN("ended, stopped 9000000 us"), SPAN("going on"),
                                 SPAN("going on, stopped 1500 us")};
    for (uint32_t i = 0; i < 3; i++) {
        struct perf_header h = {.tid = 7, .time = (i + 1) * 1000ULL * MS, .period = 100000};
        h.field[PERF_REST] = texts[i];
        hold(&t, &p, 7, h.time, "a");
        turns_add(&t, &p, &h);
    }
    CHECK_TEXT(written(&p), "@0.900+0.100-0.100/7;a 1\n@1.900+0.100../7;a 1\n"
                            "@2.900+0.100..-0.002/7;a 1\n");
}

TEST("threads whose turns end at one time have each its own")
{
    FREED(profile_free) struct profile p = {0};
    FREED(turns_free) struct turns t = {0};
    hold(&t, &p, 7, 1000ULL * MS, "a");
    hold(&t, &p, 8, 1000ULL * MS, "b");
    end(&t, &p, 7, 1000ULL * MS, 100);
    end(&t, &p, 8, 1000ULL * MS, 2000000);
    turns_add(&t, &p, NULL);
    CHECK_TEXT(written(&p), "@0.000+1.000/8;b 1\n@0.999+0.001/7;a 1\n");
}

/* The stack without its slice and host, and the host before it. */
static struct span
host_and_rest(const char *text, struct span *host)
{
    struct span stack = span_cstr(text);
    struct slice slice;
    *host = SPAN("");
    CHECK(slice_take(&stack, &slice));
    slice_take_host(slice, &stack, host);
    return stack;
}

TEST("a host stands between a slice of the calendar and a thread, and nowhere else")
{
    struct span host;
    CHECK_TEXT(host_and_rest("@1764273600.000;web-1/2;node-42/43;main", &host), "node-42/43;main");
    CHECK_TEXT(host, "web-1/2");
    CHECK_TEXT(slice_off(SPAN("@1764273600.000;web1;node-42/43;main")), "node-42/43;main");
    const char *const none[] = {"@999999999.999;web1;node-42/43;main", "@1764273600.000;node;main",
                                "@1764273600.000;node-42/43;main",     "@1764273600.000;node",
                                "@1764273600.000;web1;node-/43;main",  "@1764273600.000;a;b/4"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        host_and_rest(none[i], &host);
        CHECK_TEXT(host, "");
    }
}

TEST("the name of a slice's file is its time as gmtime has it, and is read as it was written")
{
    const uint64_t times[] = {0,          951782399,  951782400,  951868800,   1764273600,
                              1767225599, 1767225600, 4107542399, 253402300799};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char name[SLICEFILE_NAME], wanted[SLICEFILE_NAME], file[SLICEFILE_NAME + 16];
        time_t t = (time_t)times[i];
        struct tm tm;
        struct slicefile read = {0};
        if ((uint64_t)t != times[i])
            continue; /* 32 bits */
        strftime(wanted, sizeof wanted, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &tm));
        CHECK_TEXT(span_cstr(slicefile_name(name, (struct slicefile){times[i], 1, false})), wanted);
        snprintf(file, sizeof file, "%s.folded.zst", name);
        CHECK(slicefile_parse(span_cstr(file), &read));
        CHECK(read.begin == times[i] && read.number == 1 && !read.hour);
    }
}

TEST("the hour of a slice has its number, and other names are none of an archive")
{
    struct slicefile f;
    char name[SLICEFILE_NAME];
    CHECK(slicefile_parse(SPAN("2026-11-27T20:30:05Z-12.folded"), &f));
    CHECK(f.number == 12);
    CHECK_TEXT(span_cstr(slicefile_name(name, slicefile_hour(f))), "2026-11-27T20Z-12");
    CHECK(slicefile_parse(SPAN("2026-11-27T20Z.folded.gz"), &f) && f.hour);
    const char *const others[] = {"2026-11-27T20:30:05Z",          "2026-11-27T20:30:05Z-1.folded",
                                  "2026-02-29T20Z.folded",         "2026-11-27T20:30:05Z-.folded",
                                  "2026-11-27T24Z.folded",         "1969-11-27T20Z.folded",
                                  "2026-11-27T20:30:05Z.folded.x", ".unfinished",
                                  "2026-13-27T20Z.folded"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!slicefile_parse(span_cstr(others[i]), &f));
}

TEST("a slice is merged if the file of its hour and number is before it")
{
    static const struct {
        const char *name;
        bool merged;
    } files[] = {
        {"2026-11-27T19:59:00Z.folded", false},      {"2026-11-27T20Z.folded", false},
        {"2026-11-27T20Z-2.folded", false},          {"2026-11-27T20:00:00Z.folded", true},
        {"2026-11-27T20:00:00Z-2.folded.gz", true},  {"2026-11-27T20:00:00Z-3.folded", false},
        {"2026-11-27T21:00:00Z.folded", false},      {"2026-11-27T22Z.folded.zst", false},
        {"2026-11-27T22:00:00Z-2.folded.gz", false}, {"2026-11-27T22:59:00Z.folded", true},
    };
    struct slicefile_hours hours = {0};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct slicefile file;
        CHECK(slicefile_parse(span_cstr(files[i].name), &file));
        CHECK(slicefile_is_merged(&hours, file) == files[i].merged);
    }
    free(hours.list.at);
}

TEST("stacks in the order of what follows their first frames come together")
{
    struct profile p = {0};
    const char *const slices[] = {"@20.000", "@10.000"};
    for (size_t i = 0; i < 2; i++)
        for (const char *name = "ba"; *name != '\0'; name++) {
            const uint32_t names[] = {profile_name(&p, span_cstr(slices[i])),
                                      profile_name(&p, span_of(name, 1))};
            profile_add(&p, names, 2, (struct decimal){1, 0}, NULL);
        }
    uint32_t *order = profile_order_rests(&p);
    for (size_t i = 0; i < 4; i++)
        CHECK_TEXT(profile_name_text(&p, profile_frame(&p, order[i], 1)), i < 2 ? "a" : "b");
    free(order);
    profile_free(&p);
}

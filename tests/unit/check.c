#include "tests/unit/test.h"

#include "common/stack/frames/check.h"
#include "cmd/perf-script/report.h"
#include "common/stack/text/perftext.h"

/* Report a recording that has named the JIT-compiled code of process 6, and whose only stack has these
 * frames, each a line. */
static struct span
report_of(struct out *out, const char *const *lines, size_t n)
{
    FREED(frametab_free) struct frametab frames;
    FREED(intern_free) struct intern named = {0};
    struct check c = {.recording = true, .named = &named};
    uint32_t stack[8], variants[8];
    struct sample s = {.header.field[PERF_COMM] = SPAN("node"), .frames = stack};
    frametab_init(&frames, perf_frame_parse);
    intern_add(&named, SPAN("/tmp/perf-6.map"));
    for (size_t i = 0; i < n; i++) {
        stack[s.nframes++] = frametab_line(&frames, span_cstr(lines[i]));
        variants[i] = 1;
    }
    c.variants = variants;
    check_header(&c, &s.header);
    check_stack(&c, &frames, &s, 0, 10);
    check_finish(&c, &frames);
    out_open(out, -1, "nowhere");
    report_text(out, &c);
    return span_of(out->buf, out->len);
}

static bool
has(struct span report, const char *line)
{
    return span_holds(report, span_cstr(line));
}

TEST("names of JIT-compiled code are counted by where they are from")
{
    static const char *const lines[] = {
        "1 JS:*f /x.js:1:2+0x1 (/tmp/perf-6.map)\n", "2 JS:~g /x.js:3:4 (/tmp/perf-6.map)\n",
        "3 JS:*f /x.js:1:2 (/tmp/perf-7.map)\n",     "4 h (/tmp/jitted-8-1.so)\n",
        "5 [unknown] (/tmp/perf-6.map)\n",           "6 main (/bin/node)\n",
    };
    static struct out out;
    struct span report = report_of(&out, lines, 6);
    CHECK(has(report, "  20  JIT-compiled, with a name that stackrecord read from memory\n"));
    CHECK(has(report, "  10  JIT-compiled, with a name from a jitdump\n"));
    CHECK(has(report, "  10  JIT-compiled, with a name from a perf map\n"));
    /* Process 6 has all the names that there are. */
    CHECK(!has(report, "JIT frames without a name"));
}

TEST("a recording without JIT-compiled code says nothing of names for it")
{
    static const char *const lines[] = {"6 main (/bin/node)\n"};
    static struct out out;
    CHECK(!has(report_of(&out, lines, 1), "JIT-compiled, with"));
}

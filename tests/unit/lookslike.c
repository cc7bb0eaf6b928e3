#include "tests/unit/test.h"

#include "common/stack/lookslike.h"

/* Checks that the guess begins with `wanted`; NULL: that there is none. */
static void
check_guess(struct span head, const char *wanted)
{
    struct span got = looks_like(head);
    bool right = wanted == NULL ? got.len == 0 : span_starts(got, span_cstr(wanted));
    if (!right)
        printf("# '%.*s' looks like '%.*s'\n", SPAN_ARG(head), SPAN_ARG(got));
    CHECK(right);
}

TEST("markup is recognized: a picture, a page, other XML")
{
    check_guess(SPAN("<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg version=\"1.1\">"), "an SVG");
    check_guess(SPAN("\n <svg xmlns=\"x\">"), "an SVG picture:");
    check_guess(SPAN("<!DOCTYPE html>\n<title>x</title>"), "HTML:");
    check_guess(SPAN("<HTML>"), "HTML:");
    check_guess(SPAN("<?xml version=\"1.0\"?>\n<plist>"), "XML:");
    check_guess(SPAN("<?xml version=\"1.0\"?>\n<trace-query-result>\n"), "an export of xctrace,");
    check_guess(SPAN("<unknown>;<html 3\n"), NULL);
}

TEST("tables and reports of our own programs are recognized")
{
    check_guess(SPAN("   self       %       total       %  kind     function\n"),
                "a table of stackreport,");
    check_guess(SPAN("self\tself_percent\ttotal\n"), "a table of stackreport,");
    check_guess(SPAN("depth\tself\tself_percent\n"), "a table of stackreport,");
    check_guess(SPAN(" before    after   change  certain  function\n"), "a table of stackdiff,");
    check_guess(SPAN("         3,887  samples\n\ntime\n"), "a report of perf-script --check,");
    check_guess(SPAN("self 12\nbefore 3\n"), NULL);
    check_guess(SPAN("1  samples 12\n"), NULL);
}

TEST("binary data is recognized: a program, a trace of Perfetto")
{
    char text[2048], few[2048];
    struct span elf = SPAN("\x7f"
                           "ELF\2\1\1\0\0\0\0\0");
    struct span packets = SPAN("\n\3Z\20\3\n\6\b\6\20\1\30\2\n\5\b\2\20\1\30\n\5\b\2\20\1\30");
    struct span other = SPAN("\n\3Z\20\3\22\6\b\6\20\1\30\2\n\5\b\2\20\1\30\n\5\b\2\20\1\30");
    memset(text, 'x', sizeof text);
    memset(few, 'x', sizeof few);
    memset(text, 1, sizeof text / 16);
    memset(few, 1, sizeof few / 16 - 1);
    check_guess(elf, "a program or library (ELF):");
    check_guess(packets, "a Perfetto trace in Protocol Buffers:");
    check_guess(span_head(packets, packets.len - 3), "a Perfetto trace in Protocol Buffers:");
    check_guess(other, "binary data:");
    check_guess(span_of(text, sizeof text), "binary data:");
    CHECK(looks_binary(span_of(text, sizeof text)));
    CHECK(!looks_binary(span_of(few, sizeof few)));
    CHECK(!looks_binary(SPAN("a\0b;\1 1\n")));
    check_guess(SPAN("\n\n\n\n\n\n\n\n\n\n\n\n\n"), NULL);
}

TEST("what node --prof and --prof-process write is recognized")
{
    check_guess(SPAN("v8-version,11,3,244,8,-node.38,0\nv8-platform,linux,linux\n"),
                "a log of node --prof: run node --prof-process --preprocess -j FILE,");
    check_guess(SPAN("Statistical profiling result from isolate-0x41-1-v8.log, (582 ticks"),
                "a table of node --prof-process, which has no stacks:");
}

TEST("JSON is recognized, and a .cpuprofile and traces among it")
{
    check_guess(SPAN("{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":"), "a V8 CPU profile");
    check_guess(SPAN("{\"traceEvents\":[{\"args\":{\"data\":{\"nodes\":[{\"callFrame\":"),
                "a trace of Chrome");
    check_guess(SPAN("[{\"ph\":\"X\",\"ts\":1,"), "a trace of Chrome");
    check_guess(SPAN("{\"ph\":1}"), "JSON of a format that is not known");
    check_guess(SPAN("\xef\xbb\xbf{\n  \"a\": 1\n}\n"), "JSON of a format that is not known");
    check_guess(SPAN("[\n  {\"a\": 1},"), "JSON of a format that is not known");
    check_guess(SPAN("{"), "JSON of a format that is not known");
    check_guess(SPAN("[unknown];main 3\n"), NULL);
    check_guess(SPAN("{lambda()#1} 3\n"), NULL);
}

TEST("perf's text is recognized by a header or a frame line")
{
    check_guess(SPAN("node 4123 [001] 81.273451:   250000 cycles: \n"), "perf script text:");
    check_guess(SPAN("node 4123 \n\t    55d0c1a2 uv_run+0x1a (/usr/bin/node)\n\n"),
                "perf script text:");
    check_guess(SPAN("# ========\n# captured on\n#\nsh 1 2.123456: cpu-clock: 1001 x (/y)\n"),
                "perf script text:");
    check_guess(SPAN("# To display the perf.data header\n#\n# Samples: 2K of event 'cycles'\n"),
                "a table of perf report:");
}

TEST("lists without counts, and with counts in front, are recognized")
{
    check_guess(SPAN("main\nparse\n\ndraw\n"), "a list of names without counts:");
    check_guess(SPAN("main;parse (a b)\nmain;dra"), "a list of names without counts:");
    check_guess(SPAN("      7 main;parse\n     12 main\n"), "counts in front of the stacks");
}

TEST("what could be anything, or is folded, gets no guess")
{
    check_guess(SPAN(""), NULL);
    check_guess(SPAN(" \n\n"), NULL);
    check_guess(SPAN("main;parse 3\n"), NULL);
    check_guess(SPAN("junk\nmain;parse 3.5\r\n"), NULL);
    check_guess(SPAN("Some words that say something\nand more\n"), NULL);
    check_guess(SPAN("1.123456\n12.5:\n. x"), NULL);
    check_guess(span_of("ab\0cd", 5), "binary data:");
}

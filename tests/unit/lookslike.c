#include "tests/unit/test.h"

#include "common/stack/text/lookslike.h"

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

TEST("text that each line shows is recognized: a perf map, calls, logs")
{
    check_guess(SPAN("7f14ce2d9000 40 LazyCompile:*sum /a.js:1\n7f14ce2d9040 c0 Stub:X 2\n"),
                "a perf map");
    check_guess(SPAN("open(\"a\", 0) = 3\nclose(3)  = 0\n+++ exited with 0 +++\n"),
                "calls that strace or ltrace prints");
    check_guess(SPAN("[    0.004561] Memory: 1K\n[   12.881123] EXT4-fs: mounted 3\n"),
                "a log of the kernel");
    check_guess(SPAN("2026-01-05 06:31:54,844 INFO a\n2026-01-05T06:31:55 INFO b\n"), "a log,");
    check_guess(SPAN("Jan  5 06:31:54 web1 a: b\nJan 15 06:31:55 web1 a: c\n"), "a log,");
    check_guess(SPAN("f(int) = 3\nmain;a 3\nmain;b 4\n"), NULL);
    check_guess(SPAN("2026-01-05 06:31:54,844 INFO a\n"), NULL);
}

TEST("text that names itself is recognized: dumps, disassemblies, stack traces of errors, keys")
{
    check_guess(SPAN(".\n. ... raw event: size 120 bytes\n"), "a dump of perf script -D:");
    check_guess(SPAN("\nDisassembly of section .text:\n"), "a disassembly,");
    check_guess(SPAN("==42== Memcheck, a memory error detector\n"), "what Valgrind's memcheck");
    check_guess(SPAN("a [x] \"GET /a HTTP/1.1\" 200 612\n"), "a log of a web server,");
    check_guess(SPAN("Traceback (most recent call last):\n"), "the stack trace of one error,");
    check_guess(SPAN("panic: x\n\ngoroutine 1 [running]:\n"), "the stack trace of one error,");
    check_guess(SPAN("-----BEGIN CERTIFICATE-----\n"), "a key or certificate");
    check_guess(SPAN("#!/bin/sh\nexit 0\n"), "a script:");
}

TEST("lines that end in a number are told from folded stacks")
{
    static const struct span folded[] = {
        SPAN("main;a 3"),   SPAN("main 3 4"),      SPAN("f(int, char) const 3"),
        SPAN("a;b c; 3"),   SPAN("operator= 3"),   SPAN("x;timeout = 30"),
        SPAN("[kernel] 3"), SPAN("Web Content 3"), SPAN("-[NSView draw:] 3"),
        SPAN(";a 3"),       SPAN("a;; 3"),         SPAN("@1.5;INFO: x 3"),
        SPAN("a; b::c 3"),  SPAN("x; y 3"),        SPAN("*sum 3"),
        SPAN("x; y; z 3"),
    };
    static const struct span other[] = {
        SPAN("main;a"),      SPAN("timeout = 30"),
        SPAN("port: 8080"),  SPAN("a=b 3"),
        SPAN("INFO:shop 3"), SPAN("cpu0 3 5 0 12"),
        SPAN("  a 3"),       SPAN("\ta 3"),
        SPAN("a\t3"),        SPAN("* a 3"),
        SPAN("- a 3"),       SPAN("3. a 5"),
        SPAN("say \"a\" 3"), SPAN("there were on Monday about 12"),
        SPAN("int x; y 3"),  SPAN("x y; z 3"),
        SPAN("a > 3"),       SPAN("read(3) = 3"),
        SPAN("| web1 | 3"),
    };
    for (size_t i = 0; i < sizeof folded / sizeof *folded; i++)
        CHECK(looks_folded(folded[i]));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        CHECK(!looks_folded(other[i]));
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

#include "tests/unit/test.h"

#include "common/stack/lookslike.h"

/* Checks that the guess begins with `wanted`; NULL: that there is none. */
static void
check_guess(struct span head, const char *wanted)
{
    const char *got = looks_like(head);
    if (wanted == NULL ? got != NULL : got == NULL || strncmp(got, wanted, strlen(wanted)) != 0)
        printf("# '%.*s' looks like %s\n", SPAN_ARG(head), got != NULL ? got : "nothing known");
    CHECK(wanted == NULL ? got == NULL : got != NULL && strncmp(got, wanted, strlen(wanted)) == 0);
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

TEST("JSON is recognized, and a .cpuprofile among it")
{
    check_guess(SPAN("{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":"), "a V8 CPU profile");
    check_guess(SPAN("{\"traceEvents\":[]}"), "JSON:");
    check_guess(SPAN("\xef\xbb\xbf{\n  \"a\": 1\n}\n"), "JSON:");
    check_guess(SPAN("[\n  {\"a\": 1},"), "JSON:");
    check_guess(SPAN("{"), "JSON:");
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

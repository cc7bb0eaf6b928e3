/* Frames on the header line. */
#include "common/stack/perfline.h"
#include "tests/unit/test.h"

/* The frame on the header line, as text. */
static struct span
header_frame(const char *line)
{
    struct perf_header h;
    CHECK(perf_line_parse(span_cstr(line), &h) == PERF_LINE_HEADER);
    return perf_header_frame(&h);
}

TEST("a frame on the header line is found also with text around it")
{
    CHECK_TEXT(header_frame("a 1 2.5: 1 cycles:u:  ffffffff9aa3c8de [unknown] ([unknown])"),
               "ffffffff9aa3c8de [unknown] ([unknown])");
    /* a data address, with and without its symbol (page-faults -d, -F +addr) */
    CHECK_TEXT(header_frame("a 1 2.5: 1 page-faults:  7f12 @plt+0x0 (/l)   55d1 f(int) (/bin/x)"),
               "55d1 f(int) (/bin/x)");
    CHECK_TEXT(header_frame("a 1 2.5: 1 page-faults:      7f0000 55d1 main+0x4 (/bin/x)"),
               "55d1 main+0x4 (/bin/x)");
    CHECK_TEXT(header_frame("a 1 2.5: 1 mem:  7f00 |OP LOAD|LVL L1 hit|  55d15a3c4d main (/bin/x)"),
               "55d15a3c4d main (/bin/x)");
    /* a branch starts in the first of the two */
    CHECK_TEXT(header_frame("a 1 2.5: 1 branches:uH: 7f _start+0x3 (/l) => 7f g+0x0 (/l)"),
               "7f _start+0x3 (/l)");
    CHECK_TEXT(header_frame("a 1 2.5: 1 c:  7f12 f+0x3 (/my lib (v2).so) 0x7f12/0x7f34/P/-/-/0"),
               "7f12 f+0x3 (/my lib (v2).so)");
    CHECK_TEXT(header_frame("a 1 2.5: 1 c:  7f12 add (/l)"), "7f12 add (/l)");
}

TEST("text after the event that holds no frame is none")
{
    CHECK_TEXT(header_frame("a 1 2.5: 1 probe_libc:malloc: (7f12ab)"), "");
    CHECK_TEXT(header_frame("a 1 2.5: 1 cpu-clock:  /"), "");
    CHECK_TEXT(header_frame("a 1 2.5: kfree: call_site=ffffffff81092295 ptr=(nil)"), "");
    CHECK_TEXT(header_frame("a 1 2.5: 1 c:"), "");
}

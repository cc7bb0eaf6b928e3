/* Frames in perf script text: on a line of their own, and on the header line. */
#include "common/stack/text/perfline.h"
#include "tests/unit/test.h"

/* A frame line and what is in it. */
struct frame_form {
    const char *line, *addr, *sym, *offset, *dso;
};

static void
check_frame(const struct frame_form *w)
{
    struct frame f = {0};
    int before = test_failures;
    struct perf_header h;
    CHECK(perf_line_parse(span_cstr(w->line), &h) == PERF_LINE_FRAME);
    CHECK(perf_frame_parse(span_cstr(w->line), &f));
    if (test_failures == before) {
        CHECK_TEXT(f.addr, w->addr);
        CHECK_TEXT(f.sym, w->sym);
        CHECK_TEXT(f.offset, w->offset);
        CHECK_TEXT(f.dso, w->dso);
        CHECK_TEXT(f.srcline, "");
    }
    if (test_failures > before)
        printf("# in: %s\n", w->line);
}

TEST("a frame's name, offset and DSO are found whatever they hold")
{
    static const struct frame_form forms[] = {
        {"\tffffffff8106 native_write_msr+0x4 ([kernel.kallsyms])", "ffffffff8106",
         "native_write_msr", "+0x4", "[kernel.kallsyms]"},
        {"\t 7f12 tan@plt+0xfffffffffef9b000 (/lib/libm.so)", "7f12", "tan@plt",
         "+0xfffffffffef9b000", "/lib/libm.so"},
        {"\t 7f12 f ([JIT app cache])", "7f12", "f", "", "[JIT app cache]"},
        {"\t 7f12 f (/opt/my app/lib (v2).so)", "7f12", "f", "", "/opt/my app/lib (v2).so"},
        {"\t 7f12 f ([kernel.kallsyms].init.text)", "7f12", "f", "", "[kernel.kallsyms].init.text"},
        {"\t 7f12 [unknown] (/usr/bin/node (deleted))", "7f12", "[unknown]", "",
         "/usr/bin/node (deleted)"},
        {"\t 7f12 [unknown] (/ (deleted))", "7f12", "[unknown]", "", "/ (deleted)"},
        {"\t 4b179f alloc_shared+0x10f (inlined)", "4b179f", "alloc_shared", "+0x10f", "inlined"},
        {"\t 7f12 A::b->C::d (/tmp/perf-1.map)", "7f12", "A::b->C::d", "", "/tmp/perf-1.map"},
        {"\t 7f12 Ljava/io/PrintStream;::print (/tmp/perf-1.map)", "7f12",
         "Ljava/io/PrintStream;::print", "", "/tmp/perf-1.map"},
        {"\t 7f12 net/http.(*Client).Do (/bin/go)", "7f12", "net/http.(*Client).Do", "", "/bin/go"},
        {"\t 7f12 (anonymous namespace)::f(int) (/bin/x)", "7f12", "(anonymous namespace)::f(int)",
         "", "/bin/x"},
        {"\t 7f12 g(int)::{lambda(int)#1}::operator()() const (/bin/x)", "7f12",
         "g(int)::{lambda(int)#1}::operator()() const", "", "/bin/x"},
        {"\t 7f12 operator<+0x1 (/bin/x)", "7f12", "operator<", "+0x1", "/bin/x"},
        {"\t 7f12 _RNvXs1_NtCs+0x0 (/bin/x)", "7f12", "_RNvXs1_NtCs", "+0x0", "/bin/x"},
        {"\t 7f12 RegExp:[&<>\\\"\\'] (/tmp/perf-1.map)", "7f12", "RegExp:[&<>\\\"\\']", "",
         "/tmp/perf-1.map"},
        {"\t 7f12 RegExp:(?:^|\\/)x (/tmp/perf-1.map)", "7f12", "RegExp:(?:^|\\/)x", "",
         "/tmp/perf-1.map"},
        {"7f1e2215d058  (/lib/libc-2.15.so)", "7f1e2215d058", "", "", "/lib/libc-2.15.so"},
        {"\t       0 [unknown] ([unknown])", "0", "[unknown]", "", "[unknown]"},
        {"\t 7f12 main", "7f12", "main", "", ""},
        {"\t 7f12 A::operator ()", "7f12", "A::operator ()", "", ""},
        {"\t 7f12 A::operator () (/bin/x)", "7f12", "A::operator ()", "", "/bin/x"},
        {"\t 7f12 main+0x1", "7f12", "main", "+0x1", ""},
        {"\t 7f12", "7f12", "", "", ""},
        {"\t 7f12 JS:*f /a/b.js:1:12 (/tmp/perf-1.map)", "7f12", "JS:*f /a/b.js:1:12", "",
         "/tmp/perf-1.map"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        check_frame(&forms[i]);
}

TEST("a frame's text may go on with its source line, which may be blank")
{
    struct frame f;
    CHECK(perf_frame_parse(SPAN("\t 7f12 main (/bin/x)\n  core.c:137\n"), &f));
    CHECK_TEXT(f.dso, "/bin/x");
    CHECK_TEXT(f.srcline, "core.c:137");
    CHECK(perf_frame_parse(SPAN("\t 7f12 main (/bin/x)\n\n"), &f));
    CHECK_TEXT(f.srcline, "");
}

TEST("a word in capitals is no address, as in the tables of other profilers")
{
    struct frame f = {0};
    CHECK(!perf_frame_parse(SPAN(" CAF          GHC.Conc.Signal"), &f));
}

TEST("an address of more than 16 digits, or none, makes no frame")
{
    struct frame f;
    CHECK(!perf_frame_parse(SPAN("\t 12345678123456781 main (/bin/x)"), &f));
    CHECK(!perf_frame_parse(SPAN("\t main (/bin/x)"), &f));
    CHECK(!perf_frame_parse(SPAN("\t 7f12x main (/bin/x)"), &f));
    CHECK(!perf_frame_parse(SPAN(""), &f));
    CHECK(!perf_frame_parse(SPAN("\n\n"), &f));
}

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
    /* perf mem: a data address, what was read or written there, and one weight or two, or none */
    CHECK_TEXT(header_frame("a 1 2.5: 1 mem:  7f00 68100142 |OP LOAD|LVL L1 hit|LCK No|BLK  N/A   "
                            "56   0   401136 main+0x2 (/bin/x)"),
               "401136 main+0x2 (/bin/x)");
    CHECK_TEXT(
        header_frame("a 1 2.5: 1 mem:  0 68100142 |OP LOAD|LVL L1 hit|LCK Yes 4 401136 add (/x)"),
        "401136 add (/x)");
    CHECK_TEXT(
        header_frame("a 1 2.5: 1 mem:  0 5080021 |OP N/A|LVL N/A|SNP None|TLB N/A 10 f (/x)"),
        "10 f (/x)");
    CHECK_TEXT(
        header_frame("a 1 2.5: 1 mem:  7f00 68022 |OP LOAD|LVL Remote Cache (1 hop) or I/O or "
                     "Uncached|SNP N/A|LCK No    56   0  55d15a3c4d f(int) (/bin/x)"),
        "55d15a3c4d f(int) (/bin/x)");
    CHECK_TEXT(header_frame("a 1 2.5: 1 mem:  7f00 6802 |OP LOAD|LVL L1 hit|LCK No  56  0"), "");
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

TEST("the last address before the symbol is the frame's own")
{
    CHECK_TEXT(header_frame("a 1 2.5: 1 c: 1 2 3 f (/l)"), "3 f (/l)");
    CHECK_TEXT(header_frame("a 1 2.5: 1 c: 1 data 12345678 2 f+0x3 (/l)"), "2 f+0x3 (/l)");
    CHECK_TEXT(header_frame("a 1 2.5: 1 c: 1 data 2 f (/l)"), "1 data 2 f (/l)");
    CHECK_TEXT(header_frame("a 1 2.5: 1 c: 1 12345678123456781 f (/l)"),
               "1 12345678123456781 f (/l)");
}

TEST("a header line of a megabyte of addresses or parentheses is searched")
{
    static const char *const pieces[] = {"1 ", "12345678 ", "( ) (", ") ", "(", "1 f (x) ", "1 ) "};
    enum { LONG = 1024 * 1024 };
    char *line = malloc(LONG + 64);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        size_t start = (size_t)sprintf(line, "a 1 2.5: 1 c: "), len = strlen(pieces[i]);
        for (size_t at = start; at < LONG; at++)
            line[at] = pieces[i][(at - start) % len];
        static const char end[] = " 7f12 f (/l)";
        memcpy(line + LONG, end, sizeof end);
        struct span frame = header_frame(line);
        CHECK(frame.len == 0 || span_ends(frame, SPAN("7f12 f (/l)")));
    }
    free(line);
}

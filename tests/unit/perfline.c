/* The lines of perf script text: what each form is taken for, and its parts. */
#include "common/stack/text/perfline.h"
#include "tests/unit/test.h"

/* A header line and what is in it. */
struct form {
    const char *line, *comm, *pid, *tid, *cpu, *time, *period, *event, *rest;
};

static void
check_header(const struct form *f, enum perf_line kind)
{
    struct perf_header h;
    int before = test_failures;
    CHECK(perf_line_parse(span_cstr(f->line), &h) == kind);
    if (test_failures == before) {
        CHECK_TEXT(h.field[PERF_COMM], f->comm);
        CHECK_TEXT(h.field[PERF_PID], f->pid);
        CHECK_TEXT(h.field[PERF_TID], f->tid);
        CHECK_TEXT(h.field[PERF_CPU], f->cpu);
        CHECK_TEXT(h.field[PERF_TIME], f->time);
        CHECK_TEXT(h.field[PERF_PERIOD], f->period);
        CHECK_TEXT(h.field[PERF_EVENT], f->event);
        CHECK_TEXT(span_trim(h.field[PERF_REST]), f->rest);
    }
    if (test_failures > before)
        printf("# in: %s\n", f->line);
}

#define CHECK_HEADERS(forms)                                                                       \
    for (size_t i_ = 0; i_ < sizeof forms / sizeof *forms; i_++)                                   \
    check_header(&forms[i_], PERF_LINE_HEADER)

#define CHECK_BARE(forms)                                                                          \
    for (size_t i_ = 0; i_ < sizeof forms / sizeof *forms; i_++)                                   \
    check_header(&forms[i_], PERF_LINE_BARE)

static enum perf_line
kind(const char *line)
{
    struct perf_header h;
    return perf_line_parse(span_cstr(line), &h);
}

TEST("a command's name may hold blanks, brackets, parentheses and digits, or be one letter")
{
    static const struct form forms[] = {
        {"V8 WorkerThread 25607 4794564.109216:     104345 cycles:", "V8 WorkerThread", "", "25607",
         "", "4794564.109216", "104345", "cycles", ""},
        {"Plex DLNA Serve 26638 [001] 856620.530720:    2654110 cycles:", "Plex DLNA Serve", "",
         "26638", "001", "856620.530720", "2654110", "cycles", ""},
        {"[ET_NET 0] 812 [002] 1.000000: 1 cycles:", "[ET_NET 0]", "", "812", "002", "1.000000",
         "1", "cycles", ""},
        {"(sd-pam) 99 1.5: 7 cycles:", "(sd-pam)", "", "99", "", "1.5", "7", "cycles", ""},
        {"t 99076 10314749.002559:   1 cycles:", "t", "", "99076", "", "10314749.002559", "1",
         "cycles", ""},
        {"worker 3 4242 [001] 12.3: 1 cycles:", "worker 3", "", "4242", "001", "12.3", "1",
         "cycles", ""},
        {"a: 12.5: 4242 12.3: 1 cycles:", "a: 12.5:", "", "4242", "", "12.3", "1", "cycles", ""},
        {":-1 -1 [000] 12.3: 1 cycles:", ":-1", "", "-1", "000", "12.3", "1", "cycles", ""},
    };
    CHECK_HEADERS(forms);
}

TEST("the thread id is alone or after its process id, and either may be -1")
{
    static const struct form forms[] = {
        {"java 24636/25607 [000] 4794564.109216: 1 cycles:", "java", "24636", "25607", "000",
         "4794564.109216", "1", "cycles", ""},
        {"swapper -1/-1 [003] 4.5: 1 cycles:", "swapper", "-1", "-1", "003", "4.5", "1", "cycles",
         ""},
        {"node 1/22    [-01] 4.5: 1 cycles:", "node", "1", "22", "-01", "4.5", "1", "cycles", ""},
    };
    CHECK_HEADERS(forms);
}

TEST("a header may lack its time, its CPU and its period")
{
    static const struct form forms[] = {
        {"java 52025 [026] 99161.926202: cycles: ", "java", "", "52025", "026", "99161.926202", "",
         "cycles", ""},
        {"node 11 12.5: ", "node", "", "11", "", "12.5", "", "", ""},
    };
    CHECK_HEADERS(forms);
    static const struct form bare[] = {
        {"java 19983 cycles:", "java", "", "19983", "", "", "", "cycles", ""},
        {"foobar [worker] 21332 cycles:", "foobar [worker]", "", "21332", "", "", "", "cycles", ""},
        {"java 19983 [002] 12 cycles:ppp: ", "java", "", "19983", "002", "", "12", "cycles:ppp",
         ""},
    };
    CHECK_BARE(bare);
}

TEST("fields may be parted by tabs, and words may stand before the time")
{
    static const struct form forms[] = {
        {"Gecko\t25122 [007] 115539.936601:\t\t1000000 task-clock:u:", "Gecko", "", "25122", "007",
         "115539.936601", "1000000", "task-clock:u", ""},
        {"node 11912 K      1386.735044:    1001001 cpu-clock: ", "node", "", "11912", "",
         "1386.735044", "1001001", "cpu-clock", ""},
        {"bash 25370 [003] d..1. 6036.991603:   10101010 cpu-clock:", "bash", "", "25370", "003",
         "6036.991603", "10101010", "cpu-clock", ""},
    };
    CHECK_HEADERS(forms);
}

TEST("every name of an event is taken whole")
{
    static const char *const events[] = {
        "cycles:u",         "cycles:ppp",          "cycles:P", "cpu-clock:uhH",
        "branches:uH",      "cpu_core/cycles/",    "r1c2:u",   "cpu_atom/cycles:Pu/",
        "probe_lib:malloc", "cpu/event=0x3c,u=0/",
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        char line[128];
        struct perf_header h;
        snprintf(line, sizeof line, "node 1/2 [000] 3.4: 56 %s:", events[i]);
        CHECK(perf_line_parse(span_cstr(line), &h) == PERF_LINE_HEADER);
        CHECK_TEXT(h.field[PERF_EVENT], events[i]);
        CHECK_TEXT(h.field[PERF_PERIOD], "56");
    }
}

TEST("what follows the event is the rest: a tracepoint's text, a cgroup, a frame")
{
    static const struct form forms[] = {
        {"redis-server 4735/4735 921.700317: sched:sched_switch: redis-server:4735 [120] S ==> x",
         "redis-server", "4735", "4735", "", "921.700317", "", "sched:sched_switch",
         "redis-server:4735 [120] S ==> x"},
        {"brk 1 2.5: syscalls:sys_enter_brk: brk: 0x00000000", "brk", "", "1", "", "2.5", "",
         "syscalls:sys_enter_brk", "brk: 0x00000000"},
        {"      f  9566 [001] 18490161.191159: kfree: call_site=ffffffff81092295 ptr=(nil)", "f",
         "", "9566", "001", "18490161.191159", "", "kfree", "call_site=ffffffff81092295 ptr=(nil)"},
        {"a 1 2.5: probe_libc:malloc: (7f12ab)", "a", "", "1", "", "2.5", "", "probe_libc:malloc",
         "(7f12ab)"},
        {"swapper       0 [083] 1518941.611704:   10101010 cpu-clock:  /", "swapper", "", "0",
         "083", "1518941.611704", "10101010", "cpu-clock", "/"},
        {"false 64414 20110.539270:      34467 cycles:u:  ffffffff9aa3c8de [unknown] ([unknown])",
         "false", "", "64414", "", "20110.539270", "34467", "cycles:u",
         "ffffffff9aa3c8de [unknown] ([unknown])"},
    };
    CHECK_HEADERS(forms);
}

TEST("a header may print no command or no thread: an event and perf's form of the time tell it")
{
    static const struct form forms[] = {
        {"node 1234.567801:        250 cycles:", "node", "", "", "", "1234.567801", "250", "cycles",
         ""},
        {"node [003] 1234.567801: cycles:u:", "node", "", "", "003", "1234.567801", "", "cycles:u",
         ""},
        {"V8 Worker 12 1.5:        250 ", "V8 Worker", "", "12", "", "1.5", "250", "", ""},
        {"  812 1234.567801:        250 cycles:", "", "", "812", "", "1234.567801", "250", "cycles",
         ""},
        {"24636/25607 [003]  1234.567801123: cycles:", "", "24636", "25607", "003",
         "1234.567801123", "", "cycles", ""},
        {"24636 U      1234.567801: cycles:", "", "", "24636", "", "1234.567801", "", "cycles", ""},
        {"[003]  1234.567801: cycles:", "", "", "", "003", "1234.567801", "", "cycles", ""},
        {" 1234.567801: cycles:", "", "", "", "", "1234.567801", "", "cycles", ""},
    };
    CHECK_HEADERS(forms);
}

TEST("a header of few fields is one only if a frame follows")
{
    static const struct form forms[] = {
        {"node 1.5:        250 ", "node", "", "", "", "1.5", "250", "", ""},
        {"node 1234.5678: cycles:", "node", "", "", "", "1234.5678", "", "cycles", ""},
        {"app    12 ", "app", "", "12", "", "", "", "", ""},
        {"app    12/13    [001] ", "app", "12", "13", "001", "", "", "", ""},
        {"app 19852    5025125 ", "app", "", "19852", "", "", "5025125", "", ""},
        {"a worker 7 19877    5025125 cpu-clock: ", "a worker 7", "", "19877", "", "", "5025125",
         "cpu-clock", ""},
        {"a worker 7 19877 cpu-clock: ", "a worker 7", "", "19877", "", "", "", "cpu-clock", ""},
        {"19852    5025125 cpu-clock:u: ", "", "", "19852", "", "", "5025125", "cpu-clock:u", ""},
        {"cpu-clock:u: ", "", "", "", "", "", "", "cpu-clock:u", ""},
        {"24636/25607 U     ", "", "24636", "25607", "", "", "", "", ""},
        {"a worker 7 ", "a worker 7", "", "", "", "", "", "", ""},
    };
    CHECK_BARE(forms);
    CHECK(kind("worker 12 INFO: started") == PERF_LINE_BARE);
    CHECK(kind("    bash-99 [000] d..1. 12345.678905: sys_enter: NR 1") == PERF_LINE_BARE);
}

TEST("the machine of a guest and the time of day are no part of a command's name")
{
    static const struct form forms[] = {
        {"VM:13376 VCPU:003            uname  3404/3404  [002]  7919.408803461:      branches:",
         "uname", "3404", "3404", "002", "7919.408803461", "", "branches", ""},
        {"a b 3404 2026-11-28 01:04:28.123456  7919.408803:      1 cycles:", "a b", "", "3404", "",
         "7919.408803", "1", "cycles", ""},
    };
    CHECK_HEADERS(forms);
}

TEST("what perf prints below the frames is no frame")
{
    static const char *const details[] = {
        " ABI:2    AX:0xba1dc    SP:0x7fa6ea53eea8 ",
        " ilen: 3 insn: 48 89 c2",
        " insn: 48 89 c2",
        " N/A",
        " 4K 2M",
        "               0 N/A 4K",
        " 0x401136/0x401149/P/-/-/0  0x401150/0x401136/P/-/-/0 ",
        " f+0x12/g+0x0/P/-/-/3 ",
        "\tmain:",
        "\tmain+5:\tcore.c:137",
        "\t000000000040113a\tinsn: 55 48 89 e5",
        "\t000000000040113a\tpush %rbp",
    };
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        CHECK(kind(details[i]) == PERF_LINE_DETAIL);
    CHECK(kind("\t    7f1e2215d058 4K") == PERF_LINE_FRAME);
    CHECK(kind("\t000000000040113a push (/bin/x)") == PERF_LINE_FRAME);
}

TEST("a thread's name may begin with #, which perf's comments follow by a blank")
{
    static const struct form forms[] = {
        {"#1 worker 12 1.5: 250 cycles:", "#1 worker", "", "12", "", "1.5", "250", "cycles", ""},
    };
    CHECK_HEADERS(forms);
    CHECK(kind("# x 12/12 [000] 1.5: 250 cycles:") == PERF_LINE_HEADER);
    CHECK(kind("# cmdline : x 12/12 [000] 1.5: 250 cycles:") == PERF_LINE_COMMENT);
    CHECK(kind("# time of first sample : 4794564.109216") == PERF_LINE_COMMENT);
    CHECK(kind("# cmdline : perf record -F 99 12 1.5: 1 cycles:") == PERF_LINE_COMMENT);
    CHECK(kind("#") == PERF_LINE_COMMENT);
    CHECK(kind("#!/bin/sh") == PERF_LINE_COMMENT);
}

TEST("perf's padding of event names is noted, for printing them again")
{
    struct perf_header h;
    perf_line_parse(SPAN("a 1 2.5:          1    cpu-clock: "), &h);
    CHECK(h.event_width == strlen("   cpu-clock"));
    perf_line_parse(SPAN("a 1 2.5:          1 cpu-clock: "), &h);
    CHECK(h.event_width == 0 && !h.no_callchain);
    perf_line_parse(SPAN("   a 1 2.5:          1 cpu-clock: "), &h);
    CHECK(h.no_callchain);
}

TEST("a record is none of the samples, with or without a task in front of it")
{
    static const struct form forms[] = {
        {"node 11912  1386.734000: PERF_RECORD_COMM exec: node:11912/11912", "node", "", "11912",
         "", "1386.734000", "", "", "PERF_RECORD_COMM exec: node:11912/11912"},
        {"perf-exec     0     0.000000: PERF_RECORD_COMM: perf-exec:11912/11912", "perf-exec", "",
         "0", "", "0.000000", "", "PERF_RECORD_COMM", "perf-exec:11912/11912"},
        {"node 7/8 [001] 1.5: PERF_RECORD_MMAP2 7/7: [0xb6f000(0x2000) @ 0x76f000]: r-xp /bin/node",
         "node", "7", "8", "001", "1.5", "", "",
         "PERF_RECORD_MMAP2 7/7: [0xb6f000(0x2000) @ 0x76f000]: r-xp /bin/node"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        check_header(&forms[i], PERF_LINE_RECORD);
    CHECK(kind("node 11912 PERF_RECORD_COMM exec: node:11912/11912") == PERF_LINE_RECORD);
    CHECK(kind("node 11912 PERF_RECORD_COMM: node:11912/11912") == PERF_LINE_RECORD);
    CHECK(kind("PERF_RECORD_LOST lost 12") == PERF_LINE_RECORD);
    CHECK(kind(" instruction trace error type 1 time 5.5 cpu 1 pid 2") == PERF_LINE_RECORD);
}

TEST("blank lines, comments and lines that are nothing are told apart")
{
    CHECK(kind("") == PERF_LINE_BLANK);
    CHECK(kind(" \t\r") == PERF_LINE_BLANK);
    CHECK(kind("# cmdline : perf record -g") == PERF_LINE_COMMENT);
    CHECK(kind("Hello, world") == PERF_LINE_BARE);
    CHECK(kind("\t  THIS_IS_A_WEIRD_LINE") == PERF_LINE_UNKNOWN);
    CHECK(kind(" 12 13.5: 1 cycles:") != PERF_LINE_HEADER);
    CHECK(kind(":") == PERF_LINE_UNKNOWN);
    CHECK(kind("1.2:") == PERF_LINE_BARE);
}

TEST("headers, frames and records tell perf script text; what others may write does not")
{
    CHECK(perf_line_is_perf(SPAN("node 1/2 [000] 1.5: 1 cycles:")));
    CHECK(perf_line_is_perf(SPAN("\t7f12 f+0x1 (/bin/x)")));
    CHECK(perf_line_is_perf(SPAN("node 1 1.5: PERF_RECORD_COMM exec: node:1/1")));
    CHECK(!perf_line_is_perf(SPAN("")));
    CHECK(!perf_line_is_perf(SPAN("# a comment")));
    CHECK(!perf_line_is_perf(SPAN(" 4"))); /* folded text: a stack without frames */
    CHECK(!perf_line_is_perf(SPAN(" 4 5.5")));
    CHECK(perf_line_is_perf(SPAN("\t               4")));
    CHECK(!perf_line_is_perf(SPAN("  x.c:12")));
    CHECK(!perf_line_is_perf(SPAN("main;f 12")));
}

TEST("a carriage return at the end does not count")
{
    struct perf_header h;
    CHECK(perf_line_parse(SPAN("java 19983 cycles:\r"), &h) == PERF_LINE_BARE);
    CHECK_TEXT(h.field[PERF_EVENT], "cycles");
    CHECK(kind("\t 7f12 main (/bin/x)\r") == PERF_LINE_FRAME);
    CHECK(kind("  core.c:137\r") == PERF_LINE_SRCLINE);
}

TEST("names may hold NUL and bytes that are not text")
{
    struct perf_header h;
    CHECK(perf_line_parse(SPAN("a\0b 12 3.4: 5 cycles:"), &h) == PERF_LINE_HEADER);
    CHECK(span_eq(h.field[PERF_COMM], SPAN("a\0b")));
    CHECK(perf_line_parse(SPAN("\xff\xfe 12 3.4: 5 cycles:"), &h) == PERF_LINE_HEADER);
    CHECK(span_eq(h.field[PERF_COMM], SPAN("\xff\xfe")));
}

TEST("source lines are those of perf's forms, without a file's name too")
{
    CHECK(kind("  core.c:137") == PERF_LINE_SRCLINE);
    CHECK(kind("  libc-2.33.so[27b25]") == PERF_LINE_SRCLINE);
    CHECK(kind("  :0") == PERF_LINE_SRCLINE);
    CHECK(kind("  [kernel.kallsyms][ffffffff814f9302]") == PERF_LINE_SRCLINE);
    CHECK(kind("core.c:137") != PERF_LINE_SRCLINE);
    CHECK(kind("  core.c:") != PERF_LINE_SRCLINE);
}

TEST("each prefix of each form is read without a step outside of it")
{
    static const char *const lines[] = {
        "V8 Work 24636/25607 [000] 4794564.109216:     104345 cycles:u:  ff [unknown] (/x (y))",
        "java 19983 [002] 1 cycles:  7f12 f+0x1 (/usr/bin/node (deleted))",
        "\t    7f1e2215d058 uv_run+0x12 (/usr/bin/node)",
        "  libc-2.33.so[27b25]",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (size_t len = 0; len <= strlen(lines[i]); len++) {
            /* A copy of exactly that size: a sanitizer sees a step outside. */
            struct perf_header h;
            char *copy = malloc(len > 0 ? len : 1);
            memcpy(copy, lines[i], len);
            enum perf_line k = perf_line_parse(span_of(copy, len), &h);
            CHECK(len > 0 || k == PERF_LINE_BLANK);
            CHECK(k >= PERF_LINE_BLANK && k <= PERF_LINE_UNKNOWN);
            free(copy);
        }
}

enum { LONG = 1024 * 1024 };

/* A line of LONG bytes in `line`, half of it copies of a piece, the other half blanks. */
static struct span
half_of(char *line, const char *piece, bool blanks_first)
{
    size_t len = strlen(piece), half = LONG / 2;
    for (size_t i = 0; i < LONG; i++)
        line[i] = piece[i % len];
    memset(blanks_first ? line : line + half, ' ', half);
    return span_of(line, LONG);
}

TEST("a line of a megabyte made of what looks like fields is read")
{
    static const char *const pieces[] = {
        "1 ", "1.1: ", "1/1 ", ": ", "[1] ", "1 1.1:", "(", ")", " (", "a: ", "1.", "[1] 1.1: "};
    char *line = malloc(LONG);
    for (size_t i = 0; i < 2 * (sizeof pieces / sizeof *pieces); i++) {
        struct perf_header h;
        CHECK(perf_line_parse(half_of(line, pieces[i / 2], i % 2), &h) != PERF_LINE_HEADER);
    }
    free(line);
}

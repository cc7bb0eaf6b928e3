/* The first bytes of profiles, and the programs that write them:
 *
 *     # callgrind format                                    valgrind --tool=callgrind
 *     version: 1 / creator: xdebug 3.3.1 (PHP 8.3.6)        the same, by others and before 2017
 *     events: Ticks / fn=(1) main / 12 345                  the same without the lines before that
 *     desc: I1 cache:         32768 B, 64 B, 8-way ...      valgrind --tool=cachegrind
 *     desc: (none) / cmd: ./app / time_unit: i              valgrind --tool=massif
 *     {"dhatFileVersion":2                                  valgrind --tool=dhat
 *     {"stacktrace":["a.B.c(B.java:7)"],"count":2           Uber's JVM profiler
 *     gmon 01 00 00 00 ...                                  gcc -pg
 *     Flat profile:                                         gprof, on macOS "call graph profile:"
 *     v 10200 3 / X ./app                                   heaptrack
 *     packet { / timestamp: 81273451                        a Perfetto trace as text
 *     # tracer: nop                                         ftrace, systrace
 *     cpus=4 / sh-1234 [002]  8123.456001: sched_waking:    trace-cmd report
 *     0x108@perf.data [0x50]: event: 69 / . ... raw event: size 80 bytes      perf script -D
 *     cpu  74608 2520 24433 / ctxt 3012231                  /proc/stat
 *     FLR 00 00 02 00 01 ...                                java -XX:StartFlightRecording
 *     heap profile: 3: 30 [5: 500] @ heap/1048576           Go's pprof/heap?debug=1, tcmalloc
 *     goroutine profile: total 5                            Go's /debug/pprof/goroutine?debug=1
 *     goroutine 1 [running]:                                the same with ?debug=2, a panic
 *     heap_v2/524288                                        jemalloc
 *     --- contention:                                       Go, tcmalloc
 *     File: app / Type: cpu / Showing nodes ...             go tool pprof -top
 *     sample: / event_type: cpu-cycles                      simpleperf report-sample
 *     *version / 3 / data-file-overflow=false               am profile start, of Android
 *     SLOW 03 00 20 00 ...                                  the same, streamed
 *     Nettrace 14 00 00 00 !FastSerialization.1             dotnet-trace collect
 *     61 00 3b 00 62 00 20 00 33 00                         "a;b 3" in UTF-16, without a mark
 */
#include "common/stack/text/foreign.h"

#define NONE SPAN("")

static const char callgrind[] = "a profile of callgrind, which records calls between functions, "
                                "not stacks: show it with callgrind_annotate";
static const char gmon[] =
    "a profile of gprof, which records calls between functions, not stacks: show it with gprof";
static const char nettrace[] = "a trace of .NET (.nettrace): convert it with dotnet-trace convert "
                               "--format Speedscope, and fold that with stackcollapse";

static const char gprof[] =
    "a table of gprof, which has no stacks: sample the program with perf or stackrecord";
static const char ftrace[] = "a trace of ftrace, whose events are no samples: sample with perf "
                             "record -g or stackrecord, also at events (-e sched:sched_switch)";
static const char perf_dump[] = "a dump of perf script -D: print the recording without -D";
static const char perf_stat[] = "counts of perf stat, which have no stacks: run perf record -g";
static const char prometheus[] = "metrics of Prometheus, which have no stacks";
static const char difference[] = "a difference of texts; to compare profiles, run stackdiff";
static const char counters[] = "counters of the kernel, which have no stacks";
static const char system_table[] = "a table of processes or of the system, which has no stacks: "
                                   "sample with perf record -g or stackrecord";
static const char go_text[] = "a profile of Go as text: ask for it without ?debug=1 or ?debug=2, "
                              "and fold that";
static const char addresses[] =
    "a profile with addresses and no names: run go tool pprof -proto PROGRAM FILE, or fold it with "
    "jeprof --collapsed PROGRAM FILE";
static const char pprof_report[] =
    "a report of pprof: give the profile that it was made from, or what go tool pprof -raw prints";
static const char art[] =
    "a method trace of Android (ART), which has calls and not samples: show it "
    "at https://profiler.firefox.com, or record with simpleperf";

static const struct foreign {
    struct span start; /* at most FOREIGN_START bytes */
    struct span near;  /* anywhere in the first KiB */
    const char *what;
} profiles[] = {
    {SPAN("# callgrin"), SPAN("# callgrind format"), callgrind},
    {SPAN("desc: "), SPAN("desc: I1 cache:"),
     "a profile of cachegrind, which has no stacks: show it with cg_annotate"},
    {SPAN("desc: "), SPAN("\ntime_unit: "), "a profile of massif: show it with ms_print"},
    {SPAN("{"), SPAN("\"dhatFileVersion\""),
     "a profile of DHAT: show it with dh_view.html, which comes with Valgrind"},
    {SPAN("{\"stacktr"), SPAN("{\"stacktrace\":["),
     "stacks of Uber's JVM profiler: fold them with its stackcollapse.py"},
    {SPAN("gmon\1\0\0\0"), NONE, gmon},
    {SPAN("gmon\0\0\0\1"), NONE, gmon},
    {SPAN("Flat profi"), SPAN("Flat profile:"), gprof},
    {SPAN("call graph"), SPAN("call graph profile:"), gprof},
    {SPAN("\ncall grap"), SPAN("call graph profile:"), gprof},
    {SPAN("\t\t     Ca"), SPAN("Call graph (explanation follows)"), gprof},
    {SPAN("granularit"), SPAN("granularity: each sample hit covers "), gprof},
    {SPAN("v 1"), SPAN("\nX "),
     "a recording of heaptrack: heaptrack_print --print-flamegraph=OUT FILE writes folded stacks"},
    {SPAN("packet {"), SPAN("timestamp: "),
     "a Perfetto trace as text, which is not read: record or convert it as JSON, and fold that "
     "with stackcollapse"},
    {SPAN("# tracer: "), NONE, ftrace},
    {SPAN("cpus="), SPAN("]  "), ftrace},
    {SPAN("jdk."), SPAN("startTime = "),
     "what jfr print writes: fold the recording with jfrconv -o collapsed, of async-profiler"},
    {SPAN("\n0x"), SPAN("\n. ... raw event: size "), perf_dump},
    {SPAN("0x"), SPAN("\n. ... raw event: size "), perf_dump},
    {SPAN("# started "), SPAN("Performance counter stats for "), perf_stat},
    {SPAN("\n Performa"), SPAN("Performance counter stats for "), perf_stat},
    {SPAN("# HELP "), NONE, prometheus},
    {SPAN("# TYPE "), NONE, prometheus},
    {SPAN("diff --git"), NONE, difference},
    {SPAN("--- "), SPAN("\n+++ "), difference},
    {SPAN("cpu  "), SPAN("\ncpu0 "), counters},
    {SPAN("nr_free_pa"), SPAN("nr_free_pages "), counters},
    {SPAN("USER  "), SPAN("%CPU"), system_table},
    {SPAN("UID  "), SPAN("PPID"), system_table},
    {SPAN("top - "), SPAN("load average: "), system_table},
    {SPAN("procs ----"), SPAN("\n r  b "), system_table},
    {SPAN("Linux "), SPAN("%idle"), system_table},
    {SPAN("Linux "), SPAN("%CPU"), system_table},
    {SPAN("% time  "), SPAN("usecs/call"),
     "a table of strace, which has no stacks: sample with perf trace --call-graph dwarf or "
     "perf record -g"},
    {SPAN("heap profi"), SPAN("] @ heap/"), go_text},
    {SPAN("heap profi"), SPAN("] @ "), addresses},
    {SPAN("goroutine "), SPAN("goroutine profile: total "), go_text},
    {SPAN("goroutine "), SPAN("]:\n"), go_text},
    {SPAN("threadcrea"), SPAN("threadcreate profile: total "), go_text},
    {SPAN("heap_v2/"), SPAN("\n"), addresses},
    {SPAN("--- conten"), SPAN(" @ 0x"), addresses},
    {SPAN("--- mutex:"), SPAN(" @ 0x"), addresses},
    {SPAN("--- heapz "), SPAN(" @ "), addresses},
    {SPAN("--- thread"), SPAN(" ---\n"), addresses},
    {SPAN("File: "), SPAN("\nShowing nodes accounting for "), pprof_report},
    {SPAN("File: "), SPAN("\n-----------+----"), pprof_report},
    {SPAN("Build ID: "), SPAN("\nShowing nodes accounting for "), pprof_report},
    {SPAN("Build ID: "), SPAN("\n-----------+----"), pprof_report},
    {SPAN("Active fil"), SPAN("\nShowing nodes accounting for "), pprof_report},
    {SPAN("Active fil"), SPAN("\n-----------+----"), pprof_report},
    {SPAN("Type: "), SPAN("\nShowing nodes accounting for "), pprof_report},
    {SPAN("Type: "), SPAN("\n-----------+----"), pprof_report},
    {SPAN("Showing no"), SPAN("Showing nodes accounting for "), pprof_report},
    {SPAN("sample:\n  "), SPAN("\n  event_type: "),
     "samples of simpleperf as text: write them with simpleperf report-sample --protobuf, and fold "
     "that with stackcollapse"},
    {SPAN("*version"), SPAN("\ndata-file-overflow="), art},
    {SPAN("SLOW\2\0"), NONE, art},
    {SPAN("SLOW\3\0"), NONE, art},
    {SPAN("SLOW\363\0"), NONE, art},
    {SPAN("FLR\0"), NONE,
     "a recording of Java Flight Recorder (JFR): fold it with jfrconv -o collapsed, of "
     "async-profiler"},
    {SPAN("Nettrace\x14"), NONE, nettrace},
    {SPAN("Nettrace\0"), NONE, nettrace},
};

static bool
is_text(char c)
{
    return (c >= ' ' && c <= '~') || is_space(c);
}

/* Return true if text and NUL bytes alternate. `first` is the offset of the first NUL. */
static bool
is_utf16(struct span start, size_t first)
{
    size_t n = 0;
    while (n < start.len && (n % 2 == first ? start.ptr[n] == '\0' : is_text(start.ptr[n])))
        n++;
    return n == start.len && n >= 4;
}

/* Prefixes of the lines of callgrind's format before a function's costs. The header may be missing.
 * https://valgrind.org/docs/manual/cl-format.html */
static const struct span callgrind_lines[] = {
    SPAN("version: "), SPAN("creator: "), SPAN("pid: "),       SPAN("cmd: "),    SPAN("part: "),
    SPAN("desc: "),    SPAN("thread: "),  SPAN("positions: "), SPAN("events: "), SPAN("event: "),
    SPAN("summary: "), SPAN("totals: "),  SPAN("ob="),         SPAN("fl="),      SPAN("fi="),
    SPAN("fe="),       SPAN("fn="),       SPAN("#"), /* last: many texts begin with it */
};
enum { CALLGRIND_LINES = sizeof callgrind_lines / sizeof *callgrind_lines };

static bool
may_be_callgrind(struct span start)
{
    start = span_from(start, span_run(start, 0, is_space));
    bool may_be = false;
    for (size_t i = 0; i < CALLGRIND_LINES - 1 && start.len > 0; i++)
        may_be |= span_starts(start, callgrind_lines[i]) || span_starts(callgrind_lines[i], start);
    return may_be;
}

/* Return true if the lines are in callgrind's format, with a function and its costs. */
static bool
is_callgrind(struct span head)
{
    bool function = false;
    while (head.len > 0) {
        struct span line = span_trim(span_take(&head, '\n'));
        if (line.len > 0 && !span_starts_any(line, callgrind_lines, CALLGRIND_LINES)) {
            struct span position = span_take_of(&line, SPAN("+-*0123456789abcdefx"));
            return function && position.len > 0 && span_starts(line, SPAN(" "));
        }
        function |= span_starts(line, SPAN("fn="));
    }
    return false;
}

const char *
foreign_profile(struct lines *l)
{
    enum { NEAR = 1024 };
    struct span start = lines_ahead(l, FOREIGN_START);
    start = span_head(start, start.len < FOREIGN_START ? start.len : FOREIGN_START);
    if (is_utf16(start, 1))
        return "UTF-16 text: convert it with iconv -f UTF-16LE -t UTF-8";
    if (is_utf16(start, 0))
        return "UTF-16 text: convert it with iconv -f UTF-16BE -t UTF-8";
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        const struct foreign *p = &profiles[i];
        if (!span_starts(lines_ahead(l, FOREIGN_START), p->start))
            continue;
        struct span head = lines_ahead(l, p->near.len > 0 ? NEAR : FOREIGN_START);
        head = span_head(head, head.len < NEAR ? head.len : NEAR);
        if (p->near.len == 0 || span_holds(head, p->near))
            return p->what;
    }
    if (!may_be_callgrind(start))
        return NULL;
    struct span head = lines_ahead(l, NEAR);
    return is_callgrind(span_head(head, head.len < NEAR ? head.len : NEAR)) ? callgrind : NULL;
}

/* How the profiles begin, and what writes them:
 *
 *     # callgrind format                                    valgrind --tool=callgrind
 *     version: 1 / creator: xdebug 3.3.1 (PHP 8.3.6)        the same, by others and before 2017
 *     desc: I1 cache:         32768 B, 64 B, 8-way ...      valgrind --tool=cachegrind
 *     desc: (none) / cmd: ./app / time_unit: i              valgrind --tool=massif
 *     {"dhatFileVersion":2                                  valgrind --tool=dhat
 *     gmon 01 00 00 00 ...                                  gcc -pg
 *     Flat profile:                                         gprof
 *     FLR 00 00 02 00 01 ...                                java -XX:StartFlightRecording
 *     Nettrace 14 00 00 00 !FastSerialization.1             dotnet-trace collect
 *     61 00 3b 00 62 00 20 00 33 00                         "a;b 3" in UTF-16, without a mark */
#include "common/base/foreign.h"

static const char callgrind[] = "a profile of callgrind, which records calls between functions, "
                                "not stacks: show it with callgrind_annotate";
static const char gmon[] =
    "a profile of gprof, which records calls between functions, not stacks: show it with gprof";
static const char nettrace[] = "a trace of .NET (.nettrace): convert it with dotnet-trace convert "
                               "--format Speedscope, and fold that with stackcollapse";

static const struct profile {
    struct span start; /* at most FOREIGN_START bytes */
    struct span near;  /* somewhere in the first KiB */
    const char *what;
} profiles[] = {
    {SPAN("# callgrin"), SPAN("# callgrind format"), callgrind},
    {SPAN("version: 1"), SPAN("\ncreator: "), callgrind},
    {SPAN("desc: "), SPAN("desc: I1 cache:"),
     "a profile of cachegrind, which has no stacks: show it with cg_annotate"},
    {SPAN("desc: "), SPAN("\ntime_unit: "), "a profile of massif: show it with ms_print"},
    {SPAN("{"), SPAN("\"dhatFileVersion\""),
     "a profile of DHAT: show it with dh_view.html, which comes with Valgrind"},
    {SPAN("gmon\1\0\0\0"), SPAN(""), gmon},
    {SPAN("gmon\0\0\0\1"), SPAN(""), gmon},
    {SPAN("Flat profi"), SPAN("Flat profile:"),
     "a table of gprof, which has no stacks: sample the program with perf or stackrecord"},
    {SPAN("FLR\0"), SPAN(""),
     "a recording of Java Flight Recorder (JFR): fold it with jfrconv -o collapsed, of "
     "async-profiler"},
    {SPAN("Nettrace\x14"), SPAN(""), nettrace},
    {SPAN("Nettrace\0"), SPAN(""), nettrace},
};

static bool
is_text(char c)
{
    return (c >= ' ' && c <= '~') || is_space(c);
}

/* Return whether text and NUL bytes alternate; `first` is the place of the first NUL. */
static bool
is_utf16(struct span start, size_t first)
{
    size_t n = 0;
    while (n < start.len && (n % 2 == first ? start.ptr[n] == '\0' : is_text(start.ptr[n])))
        n++;
    return n == start.len && n >= 4;
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
        const struct profile *p = &profiles[i];
        if (!span_starts(lines_ahead(l, FOREIGN_START), p->start))
            continue;
        struct span head = lines_ahead(l, p->near.len > 0 ? NEAR : FOREIGN_START);
        head = span_head(head, head.len < NEAR ? head.len : NEAR);
        if (p->near.len == 0 || span_holds(head, p->near))
            return p->what;
    }
    return NULL;
}

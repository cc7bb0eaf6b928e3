/* Samples as canonical perf script text: the header, the frames, and what was read, written again. */
#define _GNU_SOURCE /* memfd_create(2), Linux 3.17 */
#include "common/stack/text/perfwrite.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/base/utf8.h"
#include "common/stack/text/perftext.h"
#include "tests/unit/test.h"

static struct out out; /* large; what was written is read from its buffer */

static void
start(void)
{
    out_open(&out, -1, "nowhere");
}

static struct span
written(void)
{
    return span_of(out.buf, out.len);
}

/* Programs end with their writer. */
static void
free_writer(struct perfwrite *w)
{
    free(w->lines);
    free(w->header);
    free(w->masked.ptr);
    free(w->plain.ptr);
    arena_free(&w->arena);
}

/* What is written for a header without frames. */
static struct span
header_text(const struct perf_header *h)
{
    struct frametab frames;
    struct perfwrite w;
    frametab_init(&frames, perf_frame_parse);
    start();
    perfwrite_init(&w, &out, &frames);
    perfwrite_sample(&w, &(struct sample){.header = *h});
    free_writer(&w);
    frametab_free(&frames);
    return written();
}

/* The fields of a usual header, for a test to change. */
static struct perf_header
usual(void)
{
    return (struct perf_header){.field = {
                                    [PERF_COMM] = SPAN("node"),
                                    [PERF_PID] = SPAN("24636"),
                                    [PERF_TID] = SPAN("25607"),
                                    [PERF_CPU] = SPAN("003"),
                                    [PERF_TIME] = SPAN("4794564.109216"),
                                    [PERF_PERIOD] = SPAN("104345"),
                                    [PERF_EVENT] = SPAN("cycles:u"),
                                }};
}

TEST("a header has its fields in perf's columns")
{
    struct perf_header h = usual();
    CHECK_TEXT(header_text(&h), "node 24636/25607 [003] 4794564.109216:     104345 cycles:u: \n");
}

TEST("ids are set in five columns: process and thread, the thread alone, or none")
{
    struct perf_header h = usual();
    h.field[PERF_PID] = SPAN("1");
    h.field[PERF_TID] = SPAN("22");
    CHECK_TEXT(header_text(&h), "node     1/22    [003] 4794564.109216:     104345 cycles:u: \n");
    h.field[PERF_PID] = SPAN("");
    CHECK_TEXT(header_text(&h), "node    22 [003] 4794564.109216:     104345 cycles:u: \n");
    h.field[PERF_TID] = SPAN("");
    CHECK_TEXT(header_text(&h), "node [003] 4794564.109216:     104345 cycles:u: \n");
    h.field[PERF_PID] = h.field[PERF_TID] = SPAN("-1");
    CHECK_TEXT(header_text(&h), "node    -1/-1    [003] 4794564.109216:     104345 cycles:u: \n");
}

TEST("a CPU has three digits and more, and -1 stays as it is")
{
    struct perf_header h = usual();
    h.field[PERF_CPU] = SPAN("7");
    CHECK_TEXT(header_text(&h), "node 24636/25607 [007] 4794564.109216:     104345 cycles:u: \n");
    h.field[PERF_CPU] = SPAN("1024");
    CHECK_TEXT(header_text(&h), "node 24636/25607 [1024] 4794564.109216:     104345 cycles:u: \n");
    h.field[PERF_CPU] = SPAN("-1");
    CHECK_TEXT(header_text(&h), "node 24636/25607 [-1] 4794564.109216:     104345 cycles:u: \n");
    h.field[PERF_CPU] = SPAN("");
    CHECK_TEXT(header_text(&h), "node 24636/25607 4794564.109216:     104345 cycles:u: \n");
}

TEST("seconds have five columns and more, flags six before them")
{
    struct perf_header h = usual();
    h.field[PERF_TIME] = SPAN("6036.991603");
    CHECK_TEXT(header_text(&h), "node 24636/25607 [003]  6036.991603:     104345 cycles:u: \n");
    h.field[PERF_FLAGS] = SPAN("d..1.");
    CHECK_TEXT(header_text(&h),
               "node 24636/25607 [003] d..1.  6036.991603:     104345 cycles:u: \n");
    h.field[PERF_FLAGS] = SPAN("d..1.2");
    CHECK_TEXT(header_text(&h),
               "node 24636/25607 [003] d..1.2  6036.991603:     104345 cycles:u: \n");
}

TEST("a header may lack the time, the period, the event")
{
    struct perf_header h = usual();
    h.field[PERF_PERIOD] = SPAN("");
    CHECK_TEXT(header_text(&h), "node 24636/25607 [003] 4794564.109216: cycles:u: \n");
    h.field[PERF_EVENT] = SPAN("");
    CHECK_TEXT(header_text(&h), "node 24636/25607 [003] 4794564.109216: \n");
    h.field[PERF_PERIOD] = SPAN("104345");
    CHECK_TEXT(header_text(&h), "node 24636/25607 [003] 4794564.109216:     104345 \n");
    h = usual();
    h.field[PERF_TIME] = SPAN("");
    CHECK_TEXT(header_text(&h), "node 24636/25607 [003]     104345 cycles:u: \n");
}

TEST("an event is set right in the width that the recording's events have")
{
    struct perf_header h = usual();
    h.event_width = 12;
    CHECK_TEXT(header_text(&h),
               "node 24636/25607 [003] 4794564.109216:     104345     cycles:u: \n");
    h.event_width = 3;
    CHECK_TEXT(header_text(&h), "node 24636/25607 [003] 4794564.109216:     104345 cycles:u: \n");
}

TEST("without callchains the command is set right in 16 columns, with a blank before a longer one")
{
    struct perf_header h = usual();
    h.no_callchain = true;
    h.field[PERF_PID] = SPAN("");
    CHECK_TEXT(header_text(&h),
               "            node 25607 [003] 4794564.109216:     104345 cycles:u: \n");
    h.field[PERF_COMM] = SPAN("fifteen-letters");
    CHECK_TEXT(header_text(&h),
               " fifteen-letters 25607 [003] 4794564.109216:     104345 cycles:u: \n");
    h.field[PERF_COMM] = SPAN("the-16-bytes-all");
    CHECK_TEXT(header_text(&h),
               " the-16-bytes-all 25607 [003] 4794564.109216:     104345 cycles:u: \n");
}

TEST("the rest follows the event's colon, without blanks at its end")
{
    struct perf_header h = usual();
    h.field[PERF_REST] = SPAN("  comm=sh pid=12  \r");
    CHECK_TEXT(header_text(&h),
               "node 24636/25607 [003] 4794564.109216:     104345 cycles:u:  comm=sh pid=12\n");
}

/* What is written for a sample with this frame, on the header line or below it. */
static struct span
frame_text(const struct frame *f, struct sample s)
{
    struct frametab frames;
    struct perfwrite w;
    frametab_init(&frames, perf_frame_parse);
    uint32_t number = frametab_add(&frames, f);
    s.frames = &number;
    s.nframes = 1;
    s.header.field[PERF_COMM] = SPAN("a");
    s.header.field[PERF_EVENT] = SPAN("e");
    start();
    perfwrite_init(&w, &out, &frames);
    perfwrite_sample(&w, &s);
    free_writer(&w);
    frametab_free(&frames);
    return written();
}

TEST("a frame is written from the parts that it has")
{
    static const struct sample below = {.number = 1};
    struct frame f = {.addr = SPAN("7f1e2215d058")};
    CHECK_TEXT(frame_text(&f, below), "a e: \n\t    7f1e2215d058\n\n");
    f.has_sym = true;
    CHECK_TEXT(frame_text(&f, below), "a e: \n\t    7f1e2215d058 \n\n");
    f.sym = SPAN("uv_run");
    CHECK_TEXT(frame_text(&f, below), "a e: \n\t    7f1e2215d058 uv_run\n\n");
    f.dso = SPAN("/bin/node");
    CHECK_TEXT(frame_text(&f, below), "a e: \n\t    7f1e2215d058 uv_run (/bin/node)\n\n");
    f.offset = SPAN("+0x12");
    CHECK_TEXT(frame_text(&f, below), "a e: \n\t    7f1e2215d058 uv_run+0x12 (/bin/node)\n\n");
    f.sym_blanks = 2;
    CHECK_TEXT(frame_text(&f, below), "a e: \n\t    7f1e2215d058 uv_run  +0x12 (/bin/node)\n\n");
    f = (struct frame){.addr = SPAN("ffffffffffffffff"), .dso = SPAN("[k]")};
    CHECK_TEXT(frame_text(&f, below), "a e: \n\tffffffffffffffff ([k])\n\n");
    f.has_sym = true;
    CHECK_TEXT(frame_text(&f, below), "a e: \n\tffffffffffffffff  ([k])\n\n");
}

TEST("a source line stands below its frame, also a blank one")
{
    struct frame f = {.addr = SPAN("7f1e2215d058"),
                      .sym = SPAN("f"),
                      .dso = SPAN("/l"),
                      .srcline = SPAN("core.c:137"),
                      .has_sym = true,
                      .has_srcline = true};
    CHECK_TEXT(frame_text(&f, (struct sample){0}),
               "a e: \n\t    7f1e2215d058 f (/l)\n  core.c:137\n\n");
    f.srcline = SPAN("");
    CHECK_TEXT(frame_text(&f, (struct sample){0}), "a e: \n\t    7f1e2215d058 f (/l)\n\n\n");
}

TEST("of a sample without frames and without fields nothing is written; as perf, two blank lines")
{
    FREED(frametab_free) struct frametab frames;
    struct perfwrite w;
    struct sample s = {.header = usual(), .blank = true};
    frametab_init(&frames, perf_frame_parse);
    start();
    perfwrite_init(&w, &out, &frames);
    w.hidden = ~0u;
    perfwrite_sample(&w, &s);
    CHECK_TEXT(written(), "");
    w.as_perf = true;
    perfwrite_sample(&w, &s);
    CHECK_TEXT(written(), "\n\n");
    free_writer(&w);
}

TEST("a frame on the header line follows the rest, and its tail follows it")
{
    const struct frame f = {
        .addr = SPAN("7f12"), .sym = SPAN("f"), .dso = SPAN("/l"), .has_sym = true};
    struct sample s = {.frame_in_header = true};
    CHECK_TEXT(frame_text(&f, s), "a e:              7f12 f (/l)\n");
    s.header.field[PERF_REST] = SPAN("   7f0000 ");
    CHECK_TEXT(frame_text(&f, s), "a e:   7f0000             7f12 f (/l)\n");
    s.tail = SPAN(" => 7f34 g (/l)");
    CHECK_TEXT(frame_text(&f, s), "a e:   7f0000             7f12 f (/l) => 7f34 g (/l)\n");
    s.blank = true;
    CHECK_TEXT(frame_text(&f, s), "a e:   7f0000             7f12 f (/l) => 7f34 g (/l)\n\n");
}

TEST("frames that are added after the first sample was written are written too")
{
    enum { MANY = 300 };
    FREED(frametab_free) struct frametab frames;
    struct perfwrite w;
    size_t wanted = 0;
    frametab_init(&frames, perf_frame_parse);
    start();
    perfwrite_init(&w, &out, &frames);
    for (unsigned i = 0; i < MANY; i++) {
        char addr[16];
        int len = snprintf(addr, sizeof addr, "%x", i);
        uint32_t number[2] = {0};
        number[1] = frametab_add(&frames, &(struct frame){.addr = span_of(addr, (size_t)len)});
        perfwrite_sample(&w, &(struct sample){.frames = number, .nframes = 2});
        wanted += strlen("\n\t0123456789abcdef\n\t0123456789abcdef\n\n");
    }
    CHECK(written().len == wanted);
    CHECK(span_ends(written(), SPAN("\t               0\n\t             12b\n\n")));
    free_writer(&w);
}

/* A text as it is written again. */
static struct span
rewritten(struct span text)
{
    int fd = memfd_create("perfwrite", 0);
    CHECK(fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len);
    lseek(fd, 0, SEEK_SET);
    struct lines lines = {0};
    static struct perftext t;
    struct perfwrite w;
    lines_start(&lines, fd);
    perftext_init(&t, &perf_rules, &lines);
    start();
    perfwrite_init(&w, &out, &t.frames);
    for (enum source_item item; (item = source_next(&t.source)) != ITEM_END;) {
        CHECK(item == ITEM_SAMPLE);
        if (item == ITEM_SAMPLE)
            perfwrite_sample(&w, &t.source.sample);
    }
    free_writer(&w);
    perftext_free(&t);
    lines_free(&lines);
    close(fd);
    return written();
}

TEST("what is read from canonical text is written byte for byte")
{
    static const char *const texts[] = {
        /* perf record -g, two events of different lengths, one sample without frames */
        "V8 Work 24636/25607 [000] 4794564.109216:     104345    cycles:u: \n"
        "\t    7f1e2215d058 uv_run+0x12 (/usr/bin/node)\n"
        "\tffffffff9aa3c8de [unknown] ([unknown])\n\n"
        "node     1/22    [1024]     4.500000:          7 cpu-clock: \n\n",
        /* without -F +pid */
        "node 25607 4794564.109216:     104345 cycles:u: \n\t    7f1e2215d058 f (/l)\n\n",
        /* perf record without -g */
        "              sh 24121  1957.949451:    2004008 cpu-clock:      7fcac0d9b138 f+0x18 (/l)\n"
        "              sh 24121  1957.949452:    2004008 cpu-clock:      7fcac0d9b138 f+0x18 "
        "(/l)\n",
        /* -F +srcline, with a source line that perf did not know */
        "a     1     2.500000:          1 c: \n\t             7f1 x (/y)\n  a.c:12\n"
        "\t             7f2 z (/y)\n\n\t             7f3 w (/y)\n  b.c:1\n\n",
        /* tracepoints */
        "sh     5/5     [001] d..1.   921.700317: sched:sched_switch: sh:5 [120] S ==> x\n"
        "\t             7f1 x (/y)\n\n",
        /* -F +brstack, -F +addr */
        "              sh     1     2.500000:          1 c:              7f12 f+0x3 (/l) "
        "0x7f12/0x7f34\n",
        "              sh     1     2.500000:          1 c:   7f0000             7f12 f+0x3 (/l)\n",
        /* -F comm,tid,ip,sym; comm,tid,time; comm,cpu,time,period */
        "a     1 c: \n\t             7f1 x\n\t             7f2\n\n",
        "a     1     2.500000: \n\t             7f1 x+0x1\n\n",
        "a [001]     2.500000:        250 \n\t             7f1 x+0x1\n\n",
        /* an inlined call, V8's name that ends in a blank, and an empty one */
        "a     1 c: \n\t             7f1 x (inlined)\n\t             7f2 LazyCompile:~  "
        "(/tmp/perf-1.map)\n"
        "\t             7f3  (/l)\n\n",
        "",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK_TEXT(rewritten(span_cstr(texts[i])), texts[i]);
}

TEST("what is written for other text stays as it is when it is read again")
{
    static const char *const texts[] = {
        "a 1 c:\n\t7f1 f ()\n\t7f2 g ( )\n\t7f3 h ((x)\n 7f4 (\n\n",
        "a 1 2.5: c: 1 f (x) 2 () 3 g (y) 4\n",
        " a 1 2.5: 7 c:  12 rest\n\ta:b 1/2 [-1] K 2.5: 7\tc:\n\n",
        "a\t1/2\t[1] 2.5:\t1\tc:\r\n\t7f1\tf\t(/l)\r\n  a.c:1\r\n\r\n",
        "a 1 c:\n\t7f1 f+0x1\n\t7f2 +0x1 (l)\n\t7f3  +0x2\n\t7f4   ()\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        static char once[OUT_SIZE];
        struct span text = rewritten(span_cstr(texts[i]));
        memcpy(once, text.ptr, text.len);
        once[text.len] = '\0';
        CHECK_TEXT(rewritten(span_cstr(once)), once);
    }
}

/* The header with that command's name, written as perf does or so that it can be read. */
static struct span
named(struct perf_header h, const char *comm, bool as_perf)
{
    struct frametab frames;
    struct perfwrite w;
    h.field[PERF_COMM] = span_cstr(comm);
    frametab_init(&frames, perf_frame_parse);
    start();
    perfwrite_init(&w, &out, &frames);
    w.as_perf = as_perf;
    for (int i = 0; i < 2; i++) /* the second time the decision on the name is known */
        perfwrite_sample(&w, &(struct sample){.header = h});
    free_writer(&w);
    frametab_free(&frames);
    struct span text = written(), half = span_head(text, text.len / 2);
    CHECK(span_eq(half, span_from(text, text.len / 2)));
    return half;
}

TEST("a name whose header would be read otherwise is written without blanks, but as perf if asked "
     "to")
{
    struct perf_header h = usual();
#define REST " 24636/25607 [003] 4794564.109216:     104345 cycles:u: \n"
    CHECK_TEXT(named(h, "a 1/1 1.0: 1 b:", false), "a_1/1_1.0:_1_b:" REST);
    CHECK_TEXT(named(h, "a 1/1 1.0: 1 b:", true), "a 1/1 1.0: 1 b:" REST);
    CHECK_TEXT(named(h, " a b ", false), "_a_b_" REST);
    CHECK_TEXT(named(h, " a b ", true), " a b " REST);
    CHECK_TEXT(named(h, "", false), &REST[1]);
    CHECK_TEXT(named(h, "", true), REST);
    CHECK_TEXT(named(h, "PERF_RECORD_X", false), "_ERF_RECORD_X" REST);
    CHECK_TEXT(named(h, "# cmdline : x", false), "__cmdline_:_x" REST);
#undef REST
}

TEST("names with blanks and digits stay where the header is read as it was meant")
{
    static const char *const names[] = {"V8 Worker", "worker 3",   "a 1/1",   "a 1/1 [000]",
                                        "a 1.0:x",   "a [1] 2 b:", "#1 a b:", "# x"};
    struct perf_header h = usual();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct span text = named(h, names[i], false);
        CHECK(span_starts(text, span_cstr(names[i])));
    }
}

TEST("white space in an event's name is written as _, and as perf does if asked to")
{
    struct perf_header h = usual();
    h.field[PERF_EVENT] = SPAN("my\tevent 2");
    CHECK_TEXT(named(h, "a b", false),
               "a b 24636/25607 [003] 4794564.109216:     104345 my_event_2: \n");
    CHECK_TEXT(named(h, "a b", true),
               "a b 24636/25607 [003] 4794564.109216:     104345 my\tevent 2: \n");
}

/* Deterministic: xorshift64, Marsaglia 2003. */
static uint64_t
chance(uint64_t below)
{
    static uint64_t x = 88172645463325252;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x % below;
}

enum { COMM_BYTES = 15 }; /* the kernel's limit, TASK_COMM_LEN with its NUL */

/* A name of what headers and other lines are made of, and of any bytes. */
static struct span
generated(char name[static COMM_BYTES])
{
    static const char *const parts[] = {
        " ",
        "  ",
        "\t",
        "\n",
        "\r",
        "\x0b",
        "\x01",
        "\xff",
        "\xc2\xa0",
        "\xc3\xa9",
        "1/1",
        "7",
        "-1",
        "/",
        ".",
        ":",
        "1.0:",
        "2.",
        "3:",
        "[0]",
        "[",
        "]",
        "(/l)",
        ")",
        "#",
        "a",
        "b",
        "_",
        "e:",
        "d..1",
        "+0x1",
        "7f1",
        "PERF_",
        "PERF_RECORD_",
        "# ",
        "0",
        ";",
        "=>",
        "1 b:",
        "|OP ",
        "# cmdline : ",
        "add f (l)",
    };
    size_t len = 0, most = (size_t)chance(COMM_BYTES + 1);
    while (len < most) {
        const char *part = parts[chance(sizeof parts / sizeof *parts)];
        char any = (char)(1 + chance(255));
        struct span add = chance(20) == 0 ? span_of(&any, 1) : span_cstr(part);
        size_t n = add.len < most - len ? add.len : most - len;
        memcpy(name + len, add.ptr, n);
        len += n;
    }
    return span_of(name, len);
}

/* A header with some of the fields that may be missing, as samples of recordings have. */
static struct perf_header
varied(void)
{
    struct perf_header h = usual();
    if (chance(2) == 0)
        h.field[PERF_PID] = SPAN("");
    if (chance(2) == 0)
        h.field[PERF_TID] = SPAN("8");
    if (chance(3) == 0)
        h.field[PERF_CPU] = SPAN("");
    if (chance(3) == 0)
        h.field[PERF_PERIOD] = SPAN("");
    if (chance(8) == 0)
        h.field[PERF_FLAGS] = SPAN("d..1.");
    h.no_callchain = chance(4) == 0;
    return h;
}

/* Return whether a name was read as it may be written: masked, and perhaps plain. */
static bool
is_name(struct span read, struct span name)
{
    static struct text masked;
    text_set(&masked, name);
    utf8_mask(masked.ptr, masked.len);
    if (span_eq(read, text_span(&masked)))
        return true;
    for (size_t i = 0; i < masked.len; i++)
        if (is_space(masked.ptr[i]))
            masked.ptr[i] = '_';
    return read.len > 0 && span_eq(span_from(read, 1), span_from(text_span(&masked), 1)) &&
           (read.ptr[0] == '_' || read.ptr[0] == masked.ptr[0]);
}

TEST("whatever a thread and an event are called, what is written is read back with the same fields")
{
    enum { SAMPLES = 20000 };
    static char comms[SAMPLES][COMM_BYTES], events[SAMPLES][COMM_BYTES];
    static struct sample samples[SAMPLES];
    static struct perftext t;
    struct lines lines = {0};
    struct frametab frames;
    struct perfwrite w;
    int fd = memfd_create("names", 0);
    const struct frame f = {
        .addr = SPAN("7f12"), .sym = SPAN("f"), .dso = SPAN("/l"), .has_sym = true};
    frametab_init(&frames, perf_frame_parse);
    const uint32_t number = frametab_add(&frames, &f);
    out_open(&out, fd, "names");
    perfwrite_init(&w, &out, &frames);
    for (size_t i = 0; i < SAMPLES; i++) {
        struct sample *s = &samples[i];
        *s = (struct sample){.header = varied(), .frames = &number, .nframes = 1};
        s->header.field[PERF_COMM] = generated(comms[i]);
        s->frame_in_header = s->header.no_callchain;
        if (chance(4) == 0)
            s->header.field[PERF_EVENT] = generated(events[i]);
        if (s->header.field[PERF_EVENT].len == 0)
            s->header.field[PERF_EVENT] = SPAN("e");
        perfwrite_sample(&w, s);
    }
    out_flush(&out);
    lseek(fd, 0, SEEK_SET);
    lines_start(&lines, fd);
    perftext_init(&t, &perf_rules, &lines);
    for (size_t i = 0; i < SAMPLES; i++) {
        enum source_item item = source_next(&t.source);
        const struct span *wrote = samples[i].header.field, *read = t.source.sample.header.field;
        bool same = item == ITEM_SAMPLE && t.source.sample.nframes == 1 &&
                    is_name(read[PERF_COMM], wrote[PERF_COMM]) &&
                    is_name(read[PERF_EVENT], wrote[PERF_EVENT]);
        for (int k = PERF_PID; same && k < PERF_EVENT; k++)
            same = span_eq(read[k], wrote[k]);
        CHECK(same);
        if (!same) {
            printf("# sample %zu, item %d, comm '%.*s' read as '%.*s', event '%.*s' as '%.*s'\n", i,
                   item, SPAN_ARG(wrote[PERF_COMM]), SPAN_ARG(read[PERF_COMM]),
                   SPAN_ARG(wrote[PERF_EVENT]), SPAN_ARG(read[PERF_EVENT]));
            break;
        }
    }
    CHECK(source_next(&t.source) == ITEM_END);
    free_writer(&w);
    frametab_free(&frames);
    perftext_free(&t);
    lines_free(&lines);
    close(fd);
}

/* Perf script text, sample by sample, as it comes from a descriptor. */
#define _GNU_SOURCE /* memfd_create(2), Linux 3.17 */
#include "common/stack/text/perftext.h"

#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/test.h"

struct reader {
    struct lines lines;
    struct perftext text;
};

/* A descriptor that reads as the text. */
static int
file_of(struct span text)
{
    int fd = memfd_create("perftext", 0);
    CHECK(fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len);
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static void
start(struct reader *r, struct span text)
{
    *r = (struct reader){0};
    lines_start(&r->lines, file_of(text));
    perftext_init(&r->text, &perf_rules, &r->lines);
}

/* Continues with another file. */
static void
go_on(struct reader *r, struct span text)
{
    close(r->lines.fd);
    lines_start(&r->lines, file_of(text));
}

static void
stop(struct reader *r)
{
    close(r->lines.fd);
    perftext_free(&r->text);
    lines_free(&r->lines);
}

/* What the rest of the input is, one word an item: "comm/frames" for a sample, "#" for a comment or
 * a record, "stray", "?" for an unknown line. Good until the next call. */
static const char *
items(struct reader *r)
{
    static char text[4096];
    size_t len = 0;
    text[0] = '\0';
    for (enum source_item item; (item = source_next(&r->text.source)) != ITEM_END;) {
        char *at = text + len;
        size_t room = sizeof text - len;
        const struct sample *s = &r->text.source.sample;
        const char *blank = len > 0 ? " " : "";
        int n = item == ITEM_SAMPLE ? snprintf(at, room, "%s%.*s/%zu", blank,
                                               SPAN_ARG(s->header.field[PERF_COMM]), s->nframes)
                                    : snprintf(at, room, "%s%s", blank,
                                               item == ITEM_COMMENT || item == ITEM_RECORD ? "#"
                                               : item == ITEM_STRAY                        ? "stray"
                                                                                           : "?");
        len += (size_t)n < room ? (size_t)n : 0;
    }
    return text;
}

/* What `items` gives for a text. */
static const char *
items_of(struct span text)
{
    struct reader r;
    start(&r, text);
    const char *all = items(&r);
    stop(&r);
    return all;
}

#define CHECK_ITEMS(text, wanted) CHECK_TEXT(span_cstr(items_of(SPAN(text))), wanted)

TEST("a sample is its header and the frames below it")
{
    struct reader r;
    start(
        &r,
        SPAN(
            "node 1/2 [003] 4.5: 6 cycles:u:\n\t 7f1 leaf+0x1 (/bin/a)\n\t 7f2 root (/bin/a)\n\n"));
    CHECK(source_next(&r.text.source) == ITEM_SAMPLE);
    const struct sample *s = &r.text.source.sample;
    CHECK_TEXT(s->header.field[PERF_COMM], "node");
    CHECK_TEXT(s->header.field[PERF_PID], "1");
    CHECK_TEXT(s->header.field[PERF_TID], "2");
    CHECK_TEXT(s->header.field[PERF_CPU], "003");
    CHECK_TEXT(s->header.field[PERF_TIME], "4.5");
    CHECK_TEXT(s->header.field[PERF_PERIOD], "6");
    CHECK_TEXT(s->header.field[PERF_EVENT], "cycles:u");
    CHECK(s->number == 1 && s->blank && !s->frame_in_header);
    CHECK(s->nframes == 2);
    CHECK_TEXT(frametab_text(&r.text.frames, s->frames[0]), "\t 7f1 leaf+0x1 (/bin/a)\n");
    CHECK_TEXT(frametab_text(&r.text.frames, s->frames[1]), "\t 7f2 root (/bin/a)\n");
    CHECK(source_next(&r.text.source) == ITEM_END);
    CHECK(source_next(&r.text.source) == ITEM_END);
    stop(&r);
}

TEST("a blank line, the next header and the end each end a sample")
{
    CHECK_ITEMS("", "");
    CHECK_ITEMS("\n\n\n", "");
    CHECK_ITEMS("a 1 c:\n\t 7f1 x (y)\n\nb 1 c:\n\t 7f1 x (y)\n\n", "a/1 b/1");
    CHECK_ITEMS("a 1 c:\n\t 7f1 x (y)\nb 1 c:\n\t 7f1 x (y)\n", "a/1 b/1");
    CHECK_ITEMS("a 1 c:\n\t 7f1 x (y)", "a/1");
    CHECK_ITEMS("a 1 2.5: c:\n\n\n\nb 1 2.5: c:\n", "a/0 b/0");
    CHECK_ITEMS("a 1 2.5: c:", "a/0");
}

TEST("a sample says whether a blank line follows it")
{
    struct reader r;
    start(&r, SPAN("a 1 2.5: c:\nb 1 2.5: c:\n\nd 1 2.5: c:\n"));
    CHECK(source_next(&r.text.source) == ITEM_SAMPLE && !r.text.source.sample.blank);
    CHECK(source_next(&r.text.source) == ITEM_SAMPLE && r.text.source.sample.blank);
    CHECK(source_next(&r.text.source) == ITEM_SAMPLE && !r.text.source.sample.blank);
    stop(&r);
}

TEST("the frame in a header is its first, and known as the line below a header would be")
{
    struct reader r;
    start(&r, SPAN("a 1 2.5: 3 c:u:  7f1 x (y)\na 1 2.5: 3 c:u:  7f1 x (y)\n\t 7f2 z (y)\n\n"));
    CHECK(source_next(&r.text.source) == ITEM_SAMPLE);
    CHECK(r.text.source.sample.frame_in_header && r.text.source.sample.nframes == 1);
    uint32_t frame = r.text.source.sample.frames[0];
    CHECK_TEXT(frametab_text(&r.text.frames, frame), "7f1 x (y)\n");
    CHECK(source_next(&r.text.source) == ITEM_SAMPLE);
    CHECK(r.text.source.sample.nframes == 2 && r.text.source.sample.frames[0] == frame);
    stop(&r);
}

TEST("comments, records and unknown lines stand between samples, or inside of one that goes on")
{
    CHECK_ITEMS("# c\nPERF_RECORD_LOST lost 2\na 1 c:\n\t 7f1 x (y)\n\n# d\n", "# # a/1 #");
    CHECK_ITEMS("a 1 c:\n\t 7f1 x (y)\n# c\n\t 7f2 z (y)\n\n", "# a/2");
    CHECK_ITEMS("a 1 c:\n\t 7f1 x (y)\nwhat\n\t 7f2 z (y)\n\n", "? a/2");
    CHECK_ITEMS("a 1 c:\n\t 7f1 x (y)\n\nwhat\n\t 7f2 z (y)\n", "a/1 ? stray");
    CHECK_ITEMS("n 1 0.5: PERF_RECORD_COMM: x:1/1\na 1 2.5: 1 c:\n\n", "# a/0");
}

TEST("frames and source lines before any sample are strays")
{
    CHECK_ITEMS("\t 7f1 x (y)\n  a.c:12\na 1 c:\n\t 7f1 x (y)\n\n", "stray stray a/1");
    CHECK_ITEMS("a 1 2.5: c:\n  a.c:12\n\t 7f1 x (y)\n\n", "stray a/1");
}

TEST("a header without a time needs a frame below it, or the fields of one that has a frame")
{
    CHECK_ITEMS("worker 12 INFO: started\nworker 13 INFO: stopped\n", "? ?");
    CHECK_ITEMS("worker 12 INFO: 12 items (new)\n", "?");
    CHECK_ITEMS("a 1 c:\n\nb 1 c:\n\t 7f1 x (y)\n\nb 1 c:\n\nb 1 d\n", "a/0 b/1 b/0 ?");
    CHECK_ITEMS("    1 \n\t 7f1 x\n\n   12 \n\t 7f1 x\n\n", "/1 /1");
    CHECK_ITEMS("a b \n\t 7f1 x\n\nc \n\t 7f1 x\n\n", "a b/1 c/1");
    CHECK_ITEMS("c: \n\t 7f1 x\n\nc: \n\t 7f1 x\n\n", "/1 /1");
    CHECK_ITEMS("a 1 2.5: c:\n\t 7f1 x\n\nc \n\t 7f1 x\n\n", "a/1 ? stray");
    CHECK_ITEMS("a    12      55c2600df16a leaf\na    13      55c2600df16a leaf\n", "a/1 a/1");
}

TEST("without any field a blank line is the header, and an event without a callchain has none")
{
    CHECK_ITEMS("\n\t            7f1 x\n\n\n\t            7f2 y\n\n", "/1 /1");
    CHECK_ITEMS("     55c2600df16a leaf\n     55c2600df16a leaf (/bin/x)\n", "/1 /1");
}

TEST("what perf prints below the frames ends the stack, and is none of it")
{
    CHECK_ITEMS("a 1 2.5: c:\n\t 7f1 x\n               0\nb 1 2.5: c:\n", "a/1 b/0");
    CHECK_ITEMS("a 1 2.5: c:\n\t 7f1 x\n      12a3f4c000 4K N/A\nb 1 2.5: c:\n", "a/1 b/0");
    CHECK_ITEMS("a 1 2.5: c:\n                     7f1 x\n      12a3f4c000\n", "a/1");
    CHECK_ITEMS("a 1 2.5: c:\n\t 7f1 x\n ABI:2    AX:0x1 \nb 1 2.5: c:\n", "a/1 b/0");
    CHECK_ITEMS("a 1 2.5: c:\n\t 7f1 x\n\n\tf:\n\t000000000040113a\tinsn: 55\n\nb 1 2.5: c:\n",
                "a/1 b/0");
    CHECK_ITEMS("   12 \n\t 7f1 x\n               0\n   13 \n\t 7f1 x\n               0\n",
                "/1 /1");
}

TEST("a source line belongs to the frame above it, and a blank one too")
{
    struct reader r;
    start(&r, SPAN("a 1 c:\n\t 7f1 x (y)\n  a.c:12\n\t 7f2 z (y)\n\n\t 7f3 w (y)\n  b.c:1\n\n"
                   "a 1 c:\n\t 7f1 x (y)\n  a.c:12\n\t 7f1 x (y)\n\n"));
    CHECK(source_next(&r.text.source) == ITEM_SAMPLE);
    CHECK(r.text.source.sample.nframes == 3);
    uint32_t first = r.text.source.sample.frames[0];
    CHECK_TEXT(frametab_text(&r.text.frames, first), "\t 7f1 x (y)\n  a.c:12\n");
    CHECK_TEXT(frametab_text(&r.text.frames, r.text.source.sample.frames[1]), "\t 7f2 z (y)\n\n");
    CHECK_TEXT(frametab_text(&r.text.frames, r.text.source.sample.frames[2]),
               "\t 7f3 w (y)\n  b.c:1\n");
    CHECK(source_next(&r.text.source) == ITEM_SAMPLE);
    CHECK(r.text.source.sample.nframes == 2 && r.text.source.sample.frames[0] == first);
    CHECK_TEXT(frametab_text(&r.text.frames, r.text.source.sample.frames[1]), "\t 7f1 x (y)\n");
    CHECK(source_next(&r.text.source) == ITEM_END);
    stop(&r);
}

TEST("a stray frame is one even where it is the line that followed last time")
{
    CHECK_ITEMS("a 1 c:\n\t 7f1 x (y)\n\t 7f1 x (y)\n\n  a.c:1\n\t 7f1 x (y)\n\t 7f1 x (y)\n",
                "a/2 stray stray stray");
}

TEST("a second source line for one frame is a stray")
{
    CHECK_ITEMS("a 1 c:\n\t 7f1 x (y)\n  a.c:12\n  a.c:13\n\n", "stray a/1");
}

TEST("equal frame lines have one number, in whatever order they come")
{
    struct reader r;
    start(&r, SPAN("a 1 c:\n\t 1 x (y)\n\t 2 x (y)\n\t 3 x (y)\n\na 1 c:\n\t 3 x (y)\n\t 1 x (y)\n"
                   "\t 2 x (y)\n\na 1 c:\n\t 1 x (y)\n\t 3 x (y)\n\t 2 x (y)\n\t 2 x (y)\n\n"));
    static const uint32_t wanted[][4] = {{0, 1, 2}, {2, 0, 1}, {0, 2, 1, 1}};
    for (size_t i = 0; i < 3; i++) {
        CHECK(source_next(&r.text.source) == ITEM_SAMPLE);
        CHECK(r.text.source.sample.nframes == (i < 2 ? 3 : 4));
        CHECK(memcmp(r.text.source.sample.frames, wanted[i], r.text.source.sample.nframes * 4) ==
              0);
    }
    stop(&r);
}

TEST("a frame that another one begins is not taken for it")
{
    struct reader r;
    start(&r, SPAN("a 1 c:\n\t 1 x (y)\n\na 1 c:\n\t 1 x (y) (z)\n\na 1 c:\n\t 1 x\n\n"));
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(source_next(&r.text.source) == ITEM_SAMPLE);
        CHECK(r.text.source.sample.nframes == 1 && r.text.source.sample.frames[0] == i);
    }
    stop(&r);
}

TEST("CR LF reads as LF does")
{
    CHECK_ITEMS("a 1 c:\r\n\t 7f1 x (y)\r\n\t 7f2 z (y)\r\n\r\nb 1 c:\r\n\t 7f1 x (y)\r\n\r\n",
                "a/2 b/1");
}

TEST("NUL is a byte like others")
{
    struct reader r;
    start(&r, SPAN("a\0b 1 c:\n\t 7f1 x\0z (y)\n\n"));
    CHECK(source_next(&r.text.source) == ITEM_SAMPLE);
    CHECK(span_eq(r.text.source.sample.header.field[PERF_COMM], SPAN("a\0b")));
    CHECK(span_eq(frametab_text(&r.text.frames, r.text.source.sample.frames[0]),
                  SPAN("\t 7f1 x\0z (y)\n")));
    stop(&r);
}

static bool
not_b(void *ctx, const struct perf_header *h)
{
    ++*(int *)ctx;
    return !span_eq(h->field[PERF_COMM], SPAN("b"));
}

TEST("a sample that is not wanted is passed over with its frames and source lines")
{
    struct reader r;
    int asked = 0;
    start(&r, SPAN("b 1 c:\n\t 7f1 x (y)\n  a.c:1\n\n\t 7f2 x (y)\n\na 1 c:\n\t 7f2 x (y)\n"
                   "b 1 c:\n\t 7f2 x (y)\n# c\n\t 7f1 x (y)\nb 2 c:\n\nd 1 c:\n\t 7f1 x (y)\n"
                   "b 1 c:\n\t 7f1 x (y)\n"));
    r.text.source.accept = not_b;
    r.text.source.ctx = &asked;
    CHECK_TEXT(span_cstr(items(&r)), "a/1 # d/1");
    CHECK(asked == 6);
    stop(&r);
}

TEST("a sample ends with its file, and the next file's frames are not its own")
{
    struct reader r;
    start(&r, SPAN("a 1 c:\n\t 7f1 x (y)\n"));
    CHECK_TEXT(span_cstr(items(&r)), "a/1");
    go_on(&r, SPAN("\t 7f1 x (y)\nb 1 c:\n\t 7f1 x (y)"));
    CHECK_TEXT(span_cstr(items(&r)), "stray b/1");
    go_on(&r, SPAN(""));
    CHECK_TEXT(span_cstr(items(&r)), "");
    go_on(&r, SPAN("d 1 c:\n\t 7f1 x (y)\n\n"));
    CHECK(source_next(&r.text.source) == ITEM_SAMPLE);
    CHECK(r.text.source.sample.number == 1 && r.text.source.sample.frames[0] == 0);
    stop(&r);
}

/* A text of n samples whose frames all differ in what comes after the first sixteen or so. */
static struct span
many_samples(size_t n, size_t frames)
{
    size_t cap = 0, len = 0;
    char *text = NULL;
    for (size_t i = 0; i < n; i++) {
        text = mem_grow(text, &cap, len + 128 + frames * 64, 1);
        len += (size_t)sprintf(text + len, "comm%zu %zu/%zu 1.%06zu: 7 cycles:u:\n", i, i, i, i);
        for (size_t f = 0; f < frames; f++)
            len +=
                (size_t)sprintf(text + len, "\t%16zx f%zu+0x1 (/bin/x)\n", f * i % 97, f * i % 97);
        text[len++] = '\n';
    }
    return span_of(text, len);
}

TEST("samples are whole across the blocks that are read")
{
    struct reader r;
    enum { SAMPLES = 3000, FRAMES = 20 };
    struct span text = many_samples(SAMPLES, FRAMES);
    start(&r, text);
    size_t n = 0;
    for (; source_next(&r.text.source) == ITEM_SAMPLE; n++) {
        char wanted[64];
        const struct sample *s = &r.text.source.sample;
        snprintf(wanted, sizeof wanted, "comm%zu", n);
        CHECK_TEXT(s->header.field[PERF_COMM], wanted);
        CHECK(s->nframes == FRAMES);
        for (size_t f = 0; f < s->nframes; f++) {
            snprintf(wanted, sizeof wanted, "\t%16zx f%zu+0x1 (/bin/x)\n", f * n % 97, f * n % 97);
            CHECK_TEXT(frametab_text(&r.text.frames, s->frames[f]), wanted);
        }
    }
    CHECK(n == SAMPLES);
    CHECK(frametab_count(&r.text.frames) == 97);
    stop(&r);
    free((char *)text.ptr);
}

TEST("a pipe that gives a byte at a time reads as a file does")
{
    static const char text[] =
        "a 1 c:\n\t 7f1 x (y)\n  a.c:1\n\t 7f2 x (y)\n\nb 1 c:\n\t 7f1 x (y)";
    int ends[2];
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        for (size_t i = 0; i < sizeof text - 1; i++)
            if (write(ends[1], text + i, 1) != 1)
                _exit(1);
        _exit(0);
    }
    close(ends[1]);
    struct reader r = {0};
    lines_start(&r.lines, ends[0]);
    perftext_init(&r.text, &perf_rules, &r.lines);
    CHECK_TEXT(span_cstr(items(&r)), "a/2 b/1");
    stop(&r);
}

TEST("lines of a megabyte are headers, frames and source lines all the same")
{
    struct reader r;
    enum { LONG = 1024 * 1024 };
    char *text = malloc(3 * LONG);
    size_t len = 0;
    memset(text + len, 'c', LONG);
    len += LONG;
    len += (size_t)sprintf(text + len, " 1 2.5: 3 e:\n\t 7f1 ");
    memset(text + len, 's', LONG);
    len += LONG;
    len += (size_t)sprintf(text + len, " (/bin/x)\n  a.c:1\n\n");
    start(&r, span_of(text, len));
    CHECK(source_next(&r.text.source) == ITEM_SAMPLE);
    CHECK(r.text.source.sample.header.field[PERF_COMM].len == LONG);
    CHECK_TEXT(r.text.source.sample.header.field[PERF_EVENT], "e");
    struct frame f;
    CHECK(r.text.source.sample.nframes == 1);
    CHECK(perf_frame_parse(frametab_text(&r.text.frames, r.text.source.sample.frames[0]), &f));
    CHECK(f.sym.len == LONG);
    CHECK_TEXT(f.srcline, "a.c:1");
    CHECK(source_next(&r.text.source) == ITEM_END);
    stop(&r);
    free(text);
}

static size_t
one_srcline(struct span frame)
{
    (void)frame;
    return 1;
}

TEST("a source line that makes the read buffer grow leaves its frame line readable")
{
    const struct perf_rules rules = {
        .line = perf_line_parse, .frame = perf_frame_parse, .srclines = one_srcline};
    enum { LONG = 4 * 1024 * 1024 };
    char *text = malloc(LONG + 256);
    size_t len = (size_t)sprintf(text, "a 1 2.5: 3 e:\n\t    7f1e2215d058 uv_run (/bin/node)\n");
    memset(text + len, 'x', LONG);
    len += LONG;
    len += (size_t)sprintf(text + len, "\nb 1 2.5: 3 e:\n");
    struct reader r;
    start(&r, span_of(text, len));
    r.text.rules = &rules;
    CHECK_TEXT(span_cstr(items(&r)), ""); /* nothing ends a sample by these rules */
    CHECK(r.text.source.sample.nframes == 1);
    CHECK(frametab_frame(&r.text.frames, 0)->srcline.len == LONG);
    stop(&r);
    free(text);
}

TEST("whatever an input is cut to, it has no more samples than the whole")
{
    static const char text[] =
        "# c\na 1/1 2.5: 3 e:u:\n\t 7f1 x+0x1 (/bin/y)\n  a.c:1\n\n"
        "b 1/1 2.6: 3 e:u:  7f1 x (y)\nPERF_RECORD_LOST lost 1\n\t 7f2 z (y)\n";
    for (size_t len = 0; len < sizeof text; len++) {
        struct reader r;
        size_t samples = 0;
        start(&r, span_of(text, len));
        for (enum source_item item; (item = source_next(&r.text.source)) != ITEM_END;)
            samples += item == ITEM_SAMPLE;
        CHECK(samples <= 2);
        stop(&r);
    }
}

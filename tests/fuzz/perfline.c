#include "tests/fuzz/fuzz.h"

#include "common/stack/text/headercache.h"
#include "common/stack/text/perfline.h"

/* What must be true of a line of that kind, whatever its bytes. */
static void
check_kind(struct span line, enum perf_line kind, const struct perf_header *h)
{
    struct frame f;
    MUST((kind == PERF_LINE_BLANK) == (span_trim(line).len == 0));
    MUST(kind != PERF_LINE_COMMENT || line.ptr[0] == '#');
    MUST(kind != PERF_LINE_HEADER ||
         h->field[PERF_COMM].len + h->field[PERF_TIME].len + h->field[PERF_EVENT].len > 0);
    MUST(kind != PERF_LINE_FRAME || perf_frame_parse(line, &f));
    MUST(kind != PERF_LINE_SRCLINE || is_space(line.ptr[0]));
}

static void
check_header(struct span line, const struct perf_header *h)
{
    for (int i = 0; i < PERF_FIELDS; i++)
        MUST(fuzz_inside(h->field[i], line));
    struct span text = perf_header_frame(h);
    struct frame f;
    MUST(text.len == 0 || (fuzz_inside(text, line) && perf_frame_parse(text, &f)));
}

static void
check_frame(struct span line)
{
    struct frame f;
    if (!perf_frame_parse(line, &f))
        return;
    MUST(fuzz_inside(f.addr, line) && fuzz_inside(f.sym, line) && fuzz_inside(f.offset, line));
    MUST(fuzz_inside(f.dso, line) || span_eq(f.dso, SPAN("inlined")));
    MUST(fuzz_inside(f.srcline, line));
}

/* The header cache gives the fields that parsing gives. */
static void
check_cached(const struct headercache *c, struct span line, const struct perf_header *h)
{
    struct perf_header cached;
    size_t len = headercache_find(c, span_of(line.ptr, line.len + 1), &cached);
    MUST(len == 0 || (len == line.len && h != NULL));
    for (int i = 0; len > 0 && i < PERF_FIELDS; i++)
        MUST(span_eq(cached.field[i], h->field[i]) &&
             (h->field[i].len == 0 || cached.field[i].ptr == h->field[i].ptr));
    MUST(len == 0 ||
         (cached.event_width == h->event_width && cached.no_callchain == h->no_callchain));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    struct headercache cache = {0};
    while (fuzz_line(&text, &line)) {
        struct perf_header h = {0};
        enum perf_line kind = perf_line_parse(line, &h);
        bool is_header = kind == PERF_LINE_HEADER;
        check_kind(line, kind, &h);
        if (line.ptr + line.len < text.ptr) /* it ends in a newline */
            check_cached(&cache, line, is_header ? &h : NULL);
        if (is_header)
            headercache_add(&cache, line, &h);
        if (is_header || kind == PERF_LINE_RECORD)
            check_header(line, &h);
        check_frame(line);
    }
    return 0;
}

#include "tests/fuzz/fuzz.h"

#include "common/stack/headercache.h"
#include "common/stack/perfline.h"

static bool
same(struct span a, struct span b)
{
    return a.len == b.len && (a.len == 0 || a.ptr == b.ptr);
}

/* What an example gives for the line is what taking it apart gives. */
static void
check_example(const struct headercache *t, struct span line, const struct perf_header *h)
{
    struct perf_header e;
    size_t len = headercache_find(t, span_of(line.ptr, line.len + 1), &e);
    MUST(len == 0 || (len == line.len && h != NULL));
    if (len > 0)
        MUST(same(e.field[PERF_COMM], h->field[PERF_COMM]) && same(e.field[PERF_PID], h->field[PERF_PID]) && same(e.field[PERF_TID], h->field[PERF_TID]) &&
             same(e.field[PERF_CPU], h->field[PERF_CPU]) && same(e.field[PERF_TIME], h->field[PERF_TIME]) && same(e.field[PERF_PERIOD], h->field[PERF_PERIOD]) &&
             same(e.field[PERF_EVENT], h->field[PERF_EVENT]) && same(e.field[PERF_REST], h->field[PERF_REST]));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    struct headercache examples = {0};
    while (fuzz_line(&text, &line)) {
        struct perf_header h = {.rest = {NULL, 0}};
        enum perf_line kind = perf_line_parse(line, &h);
        MUST(kind <= PERF_LINE_UNKNOWN);
        if (line.ptr + line.len < text.ptr)
            check_example(&examples, line, kind == PERF_LINE_HEADER ? &h : NULL);
        if (kind == PERF_LINE_HEADER)
            headercache_add(&examples, line, &h);
        if (kind == PERF_LINE_HEADER || kind == PERF_LINE_RECORD) {
            const struct span fields[] = {h.field[PERF_COMM], h.field[PERF_PID],    h.field[PERF_TID],   h.field[PERF_CPU],
                                          h.field[PERF_TIME], h.field[PERF_PERIOD], h.field[PERF_EVENT], h.field[PERF_REST]};
            for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
                MUST(fuzz_inside(fields[i], line));
            perf_header_has_frame(&h);
        }
        struct frame f;
        if (perf_frame_parse(line, &f)) {
            const struct span fields[] = {f.addr, f.sym, f.offset, f.dso, f.srcline};
            for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
                MUST(fuzz_inside(fields[i], line) || span_eq(fields[i], SPAN("inlined")));
        }
    }
    return 0;
}

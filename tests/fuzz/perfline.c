#include "tests/fuzz/fuzz.h"

#include "common/stack/perfheaders.h"

static bool
same(struct span a, struct span b)
{
    return a.len == b.len && (a.len == 0 || a.ptr == b.ptr);
}

/* What an example gives for the line is what taking it apart gives. */
static void
check_example(const struct perf_headers *t, struct span line, const struct perf_header *h)
{
    struct perf_header e;
    size_t len = perf_headers_find(t, span_of(line.ptr, line.len + 1), &e);
    MUST(len == 0 || (len == line.len && h != NULL));
    if (len > 0)
        MUST(same(e.comm, h->comm) && same(e.pid, h->pid) && same(e.tid, h->tid) &&
             same(e.cpu, h->cpu) && same(e.time, h->time) && same(e.period, h->period) &&
             same(e.event, h->event) && same(e.rest, h->rest));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    struct perf_headers examples = {0};
    while (fuzz_line(&text, &line)) {
        struct perf_header h = {.rest = {NULL, 0}};
        enum perf_line kind = perf_line_parse(line, &h);
        MUST(kind <= PERF_LINE_UNKNOWN);
        if (line.ptr + line.len < text.ptr)
            check_example(&examples, line, kind == PERF_LINE_HEADER ? &h : NULL);
        if (kind == PERF_LINE_HEADER)
            perf_headers_add(&examples, line, &h);
        if (kind == PERF_LINE_HEADER || kind == PERF_LINE_RECORD) {
            const struct span fields[] = {h.comm, h.pid,    h.tid,   h.cpu,
                                          h.time, h.period, h.event, h.rest};
            for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
                MUST(fuzz_inside(fields[i], line));
            perf_header_has_frame(&h);
        }
        struct perf_frame f;
        if (perf_frame_parse(line, &f)) {
            const struct span fields[] = {f.addr, f.sym, f.offset, f.dso, f.srcline};
            for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
                MUST(fuzz_inside(fields[i], line) || span_eq(fields[i], SPAN("inlined")));
        }
    }
    return 0;
}

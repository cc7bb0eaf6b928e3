#include "tests/fuzz/fuzz.h"

#include "common/stack/perfline.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    while (fuzz_line(&text, &line)) {
        struct perf_header h = {.rest = {NULL, 0}};
        enum perf_line kind = perf_line_parse(line, &h);
        MUST(kind <= PERF_LINE_UNKNOWN);
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

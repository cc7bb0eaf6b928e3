#include "tests/fuzz/fuzz.h"

#include "common/tracepoint/traceprint.h"

static void
check_format(const struct event_format *f, struct span data)
{
    MUST(fuzz_inside(f->name, data) && fuzz_inside(f->print, data));
    MUST(fuzz_inside(f->system, data) || span_eq(f->system, SPAN("ftrace")));
    MUST(f->ncommon <= f->nfields);
    for (size_t i = 0; i < f->nfields; i++)
        MUST(fuzz_inside(f->fields[i].name, data) && f->fields[i].type.size > 0);
}

/* Reads the input as tracing data, and prints the input's end as a payload of each event. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span input = fuzz_span(data, size);
    struct span raw = span_from(input, size > 200 ? size - 200 : 0);
    struct tracing t = {0};
    struct text out = {0};
    tracing_read(&t, input);
    struct traceprint *p = traceprint_new(&t);
    for (size_t i = 0; i < t.formats.n; i++) {
        check_format(&t.formats.at[i], input);
        MUST(tracing_find(&t, t.formats.at[i].id) != NULL);
        out.len = 0;
        traceprint_event(p, &t.formats.at[i], raw, &out);
    }
    traceprint_free(p);
    tracing_free(&t);
    free(out.ptr);
    return 0;
}

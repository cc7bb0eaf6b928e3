#include "tests/fuzz/fuzz.h"

#include "common/tracepoint/traceprint.h"
#include "tests/unit/tracedata.h"

/* Most that a text can be: the limit, and a last conversion of a payload of 64 KiB. */
enum { PRINTED_MAX = 1024 * 1024 };

/* Prints payloads of an event whose format is the input's text: bytes that are small numbers, and
 * the input itself. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text tracing = {0}, out = {0};
    struct tracing t = {0};
    char raw[256];
    for (size_t i = 0; i < sizeof raw; i++)
        raw[i] = (char)(i % 4 == 2 ? i / 2 : i % 16);
    tracedata_one(&tracing, size % 2 == 0 ? 8 : 4, fuzz_span(data, size), SPAN("0x1 : \"one\"\n"));
    MUST(tracing_read(&t, text_span(&tracing)) == NULL);
    struct traceprint *p = traceprint_new(&t);
    if (t.formats.n > 0) {
        traceprint_event(p, &t.formats.at[0], span_of(raw, sizeof raw), &out);
        MUST(out.len <= PRINTED_MAX);
        traceprint_event(p, &t.formats.at[0], fuzz_span(data, size), &out);
        MUST(out.len <= 2 * PRINTED_MAX);
    }
    traceprint_free(p);
    tracing_free(&t);
    free(tracing.ptr);
    free(out.ptr);
    return 0;
}

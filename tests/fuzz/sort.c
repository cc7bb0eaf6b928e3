#include "tests/fuzz/fuzz.h"

#include "common/base/sort.h"

/* The input's lines are in order when sorted, and have the same total length as before. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct span spans[4096];
    static uint32_t places[4096];
    struct span text = fuzz_span(data, size);
    size_t n = 0, before = 0, after = 0;
    while (n < sizeof spans / sizeof *spans && fuzz_line(&text, &spans[n]))
        before += spans[n++].len;
    sort_spans(spans, n, places);
    for (size_t i = 0; i < n; i++) {
        MUST(i == 0 || span_cmp(spans[i - 1], spans[i]) <= 0);
        after += spans[i].len;
    }
    MUST(before == after);
    return 0;
}

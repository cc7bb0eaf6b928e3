#include "tests/fuzz/fuzz.h"

#include "cmd/stackreport/cpulines.h"

static ssize_t
read_span(void *file, void *to, size_t n)
{
    struct span *left = file;
    n = n < left->len ? n : left->len;
    memcpy(to, left->ptr, n);
    *left = span_from(*left, n);
    return (ssize_t)n;
}

/* No function has more samples than the profile, and each sample is in one function. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size);
    struct linecount c = {0};
    struct lines lines = {0};
    char why[JSON_WHY];
    uint64_t self = 0;
    lines_start_with(&lines, read_span, &text);
    uint64_t samples = cpulines_read(&c, &lines, why);
    MUST(samples == c.all.whole);
    for (size_t i = 0; i < c.functions.n; i++) {
        MUST(c.functions.at[i].total.whole <= samples);
        self = self + c.functions.at[i].self.whole < self ? UINT64_MAX
                                                          : self + c.functions.at[i].self.whole;
    }
    MUST(self == samples);
    lines_free(&lines);
    linecount_free(&c);
    return 0;
}

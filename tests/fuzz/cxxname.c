#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "common/stack/frames/cxxname.h"

/* The parts lie inside the name, and tidying in place, or again, changes nothing. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    while (fuzz_line(&text, &line)) {
        char *to = malloc(line.len + 1), *again = malloc(line.len + 1);
        MUST(fuzz_inside(cxxname_own(line), line));
        struct span tidy = span_of(to, cxxname_tidy(line, to));
        MUST(tidy.len <= line.len);
        if (line.len > 0)
            memcpy(again, line.ptr, line.len);
        MUST(span_eq(span_of(again, cxxname_tidy(span_of(again, line.len), again)), tidy));
        free(to);
        free(again);
    }
    return 0;
}

#include "tests/fuzz/fuzz.h"

#include "common/base/deflate.h"
#include "tests/unit/gunzip.h"

/* How many bytes are given at a time, and the bytes. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text packed = {0};
    if (size < 1)
        return 0;
    size_t part = (size_t)data[0] + 1;
    struct span bytes = fuzz_span(data + 1, size - 1);
    struct deflate *z = deflate_start(&packed);
    for (struct span rest = bytes; rest.len > 0;) {
        size_t n = rest.len < part ? rest.len : part;
        deflate_add(z, span_head(rest, n));
        rest = span_from(rest, n);
    }
    deflate_finish(z);
    MUST(gunzips_to(text_span(&packed), bytes));
    free(packed.ptr);
    return 0;
}

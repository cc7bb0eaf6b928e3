#include "tests/fuzz/fuzz.h"

#include "common/filter/sourcemap/vlq.h"

/* Numbers are taken until one is wrong; each takes one to seven digits. Base64 never decodes to
 * more than three quarters of its text. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size), rest = s;
    struct text bytes = {0};
    for (;;) {
        size_t left = rest.len;
        int32_t value = INT32_MIN;
        if (!vlq_take(&rest, &value))
            break;
        MUST(value > INT32_MIN && rest.len < left && left - rest.len <= 7);
    }
    if (base64_decode(s, &bytes))
        MUST(bytes.len <= size / 4 * 3 + 2);
    free(bytes.ptr);
    return 0;
}

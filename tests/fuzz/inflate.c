#include "tests/fuzz/fuzz.h"

#include "common/base/inflate.h"

/* The size of the output, in two bytes, and a stream. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t n = (size_t)data[0] | (size_t)data[1] << 8;
    struct span in = fuzz_span(data + 2, size - 2);
    char *out = malloc(n + 1), *again = malloc(n + 1);
    MUST(out != NULL && again != NULL);
    if (inflate_zlib(in, out, n, NULL)) {
        MUST(n / INFLATE_RATIO <= in.len);
        MUST(!inflate_zlib(in, again, n + 1, NULL));
        MUST(n == 0 || !inflate_zlib(in, again, n - 1, NULL));
    }
    free(out);
    free(again);
    return 0;
}

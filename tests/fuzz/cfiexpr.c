#include "tests/fuzz/fuzz.h"

#include "common/unwind/cfiexpr.h"

static bool
read_register(void *ctx, uint64_t number, uint64_t *value)
{
    (void)ctx;
    *value = number * 0x1000;
    return number < 17;
}

static bool
read_memory(void *ctx, uint64_t addr, size_t size, uint64_t *value)
{
    (void)ctx;
    MUST(size == 1 || size == 2 || size == 4 || size == 8);
    *value = addr ^ size;
    return addr % 16 != 1;
}

/* A byte of flags and an expression: it ends, and twice gives the same. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t first = 0x7fff0000, result = 0, again = 0;
    if (size == 0)
        return 0;
    const struct cfiexpr_machine m = {
        .reg = read_register, .load = read_memory, .bias = 0x555500000000, .is64 = data[0] & 1};
    struct span program = fuzz_span(data + 1, size - 1);
    const uint64_t *begin = (data[0] & 2) != 0 ? &first : NULL;
    bool found = cfiexpr_run(program, &m, begin, &result);
    MUST(found == cfiexpr_run(program, &m, begin, &again));
    MUST(!found || result == again);
    MUST(!found || m.is64 || result <= UINT32_MAX);
    return 0;
}

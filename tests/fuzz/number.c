#include "tests/fuzz/fuzz.h"

#include "common/base/decimal.h"
#include "common/base/num.h"
#include "common/base/utf8.h"

/* A number that is parsed, printed and parsed again has the same value. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    MUST(utf8_count(text) <= text.len);
    MUST(utf8_offset(text, utf8_count(text)) == text.len);
    while (fuzz_line(&text, &line)) {
        uint64_t value, again;
        struct decimal d, e;
        char digits[DECIMAL_TEXT];
        if (num_u64(line, &value))
            MUST(num_u64(num_decimal(digits, value), &again) && value == again);
        if (num_hex(line, &value))
            MUST(line.len <= 18);
        if (decimal_parse(line, &d)) {
            MUST(decimal_parse(decimal_text(digits, d), &e));
            MUST(d.whole == e.whole && d.fraction == e.fraction);
        }
    }
    return 0;
}

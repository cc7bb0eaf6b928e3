#include "tests/fuzz/fuzz.h"

#include "common/base/decimal.h"
#include "common/stack/text/foldedtext.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    while (fuzz_line(&text, &line))
        for (int columns = 0; columns <= 2; columns++) {
            struct folded f;
            if (!folded_parse(line, columns, &f))
                continue;
            struct decimal count;
            MUST(decimal_parse(f.count, &count) && fuzz_inside(f.count, line));
            MUST(f.second.len == 0 || decimal_parse(f.second, &count));
            MUST(columns != 2 || f.second.len > 0);
            MUST(fuzz_inside(f.stack, line));
            size_t bytes = 0, frames = 0;
            for (struct span rest = f.stack; frames == 0 || rest.ptr != NULL; frames++)
                bytes += folded_frame(&rest).len;
            MUST(bytes + frames - 1 == f.stack.len);
        }
    return 0;
}

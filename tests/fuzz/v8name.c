#include "tests/fuzz/fuzz.h"

#include "common/stack/frames/dso.h"
#include "common/stack/frames/framekind.h"
#include "common/stack/frames/v8name.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    while (fuzz_line(&text, &line)) {
        struct v8name n;
        if (v8name_parse(line, &n)) {
            MUST(fuzz_inside(n.function, line));
            MUST(fuzz_inside(n.file, line) || span_eq(n.file, SPAN("wasm")));
            MUST(fuzz_inside(n.position, line));
        }
        size_t semicolon = span_find(line, ';');
        struct span dso = semicolon != SPAN_NONE ? span_from(line, semicolon + 1) : SPAN("");
        MUST(frame_kind(line, dso) < KIND_COUNT);
        MUST(fuzz_inside(dso_base(line), line));
        dso_is_kernel(line);
        dso_is_jit(line);
    }
    return 0;
}

#include "tests/fuzz/fuzz.h"

#include "common/demangle/demangle_cxx.h"

/* A name is appended, within the limit, or nothing; what was there before stays. */
static void
check(struct arena *a, struct span name, enum demangle_style style, struct text *out)
{
    static const struct span before = SPAN("before");
    out->len = 0;
    text_add(out, before);
    bool done = demangle_cxx(a, name, style, out);
    MUST(span_starts(text_span(out), before));
    MUST(done == (out->len > before.len));
    MUST(out->len <= before.len + DEMANGLE_MAX + name.len);
    arena_reset(a);
}

/* Each line is a name; the first one is also cut at every byte. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    struct arena a = {0};
    struct text out = {0};
    for (bool first = true; fuzz_line(&text, &line); first = false)
        for (size_t len = first ? 0 : line.len; len <= line.len; len++) {
            check(&a, span_head(line, len), DEMANGLE_SHORT, &out);
            check(&a, span_head(line, len), DEMANGLE_FULL, &out);
        }
    free(out.ptr);
    arena_free(&a);
    return 0;
}

#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "common/demangle/demangle.h"
#include "common/demangle/demangle_rust.h"

/* Demangling appends at most `most` bytes, or nothing. */
static void
check_name(struct span name, bool (*demangle_it)(struct span name, struct text *out), size_t most)
{
    struct text out = {0};
    char *copy = malloc(name.len > 0 ? name.len : 1); /* a sanitizer sees a read past its end */
    MUST(copy != NULL);
    if (name.len > 0)
        memcpy(copy, name.ptr, name.len);
    text_add(&out, SPAN("before"));
    bool done = demangle_it(span_of(copy, name.len), &out);
    MUST(span_starts(text_span(&out), SPAN("before")));
    MUST(done ? out.len - 6 <= most : out.len == 6);
    free(out.ptr);
    free(copy);
}

/* Each line is a name. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    while (fuzz_line(&text, &line)) {
        check_name(line, demangle_rust, DEMANGLE_MAX);
        check_name(line, demangle_rust_frame,
                   DEMANGLE_MAX + line.len); /* what is around it stays */
    }
    return 0;
}

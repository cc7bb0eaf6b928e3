#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "common/demangle/demangle.h"
#include "common/demangle/demangle_rust.h"

/* Demangling appends at most DEMANGLE_MAX bytes, or nothing. */
static void
check_name(struct span name)
{
    struct text out = {0};
    char *copy = malloc(name.len > 0 ? name.len : 1); /* a sanitizer sees a read past its end */
    MUST(copy != NULL);
    if (name.len > 0)
        memcpy(copy, name.ptr, name.len);
    text_add(&out, SPAN("before"));
    bool done = demangle_rust(span_of(copy, name.len), &out);
    MUST(span_starts(text_span(&out), SPAN("before")));
    MUST(done ? out.len - 6 <= DEMANGLE_MAX : out.len == 6);
    free(out.ptr);
    free(copy);
}

/* Each line is a name. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = fuzz_span(data, size), line;
    while (fuzz_line(&text, &line))
        check_name(line);
    return 0;
}

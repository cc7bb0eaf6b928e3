/* Fuzz targets check what must be true of a parser whatever the bytes of its input. Each is called
 * with one input and aborts where a check fails; see driver.c, and libFuzzer in LLVM's
 * documentation. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/span.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static inline struct span
fuzz_span(const uint8_t *data, size_t size)
{
    return span_of((const char *)data, size);
}

/* Removes the first line from the text. False where nothing is left. */
static inline bool
fuzz_line(struct span *text, struct span *line)
{
    if (text->len == 0)
        return false;
    size_t end = span_find(*text, '\n');
    *line = span_head(*text, end != SPAN_NONE ? end : text->len);
    *text = span_from(*text, end != SPAN_NONE ? end + 1 : text->len);
    return true;
}

/* True where `part` is empty or lies inside `whole`. */
static inline bool
fuzz_inside(struct span part, struct span whole)
{
    return part.len == 0 || (part.ptr >= whole.ptr && part.len <= whole.len &&
                             (size_t)(part.ptr - whole.ptr) <= whole.len - part.len);
}

#endif

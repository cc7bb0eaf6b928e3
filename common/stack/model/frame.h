/* A frame of a stack in its parts, wherever it was read from. */
#ifndef STACK_FRAME_H
#define STACK_FRAME_H

#include <stdint.h>

#include "common/base/span.h"

/* A part that the input lacks is empty. Whoever fills a frame says what the parts borrow from. */
struct frame {
    struct span addr;    /* hexadecimal digits without "0x" */
    struct span sym;     /* without the offset; "[unknown]" where perf found no symbol */
    struct span offset;  /* "+0x12" */
    struct span dso;     /* without parentheses; "inlined" for an inlined call */
    struct span srcline; /* "core.c:137": the source line (perf script -F +srcline), trimmed */
    uint32_t sym_blanks; /* that end the symbol and are not in `sym`: V8's "LazyCompile:~ " */
    bool has_sym;        /* a symbol was printed, though it may be empty */
    bool has_srcline;    /* a source line was printed, though it may be empty */
};

/* Return true where there is no name for the frame. */
static inline bool
frame_is_nameless(const struct frame *f)
{
    return f->sym.len == 0 || span_eq(f->sym, SPAN("[unknown]"));
}

#endif

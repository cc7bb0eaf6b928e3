/* A frame of a stack in its parts, wherever it was read from. */
#ifndef STACK_FRAME_H
#define STACK_FRAME_H

#include <stdint.h>

#include "common/base/span.h"

/* A part that the input lacks is empty. Whoever fills a frame says what the parts borrow from. */
struct frame {
    uint64_t ip;         /* the address, if has_ip */
    struct span addr;    /* its digits as they were read: hexadecimal, without "0x" */
    struct span sym;     /* without the offset; "[unknown]" where perf found no symbol */
    struct span offset;  /* "+0x12" */
    struct span dso;     /* without parentheses; "inlined" for an inlined call */
    struct span srcline; /* "core.c:137": the source line (perf script -F +srcline), trimmed */
    uint32_t sym_blanks; /* that end the symbol and are not in `sym`: V8's "LazyCompile:~ " */
    bool has_ip;
    bool has_sym; /* a symbol was printed, though it may be empty */
    bool
        doubtful; /* the name may be that of other code, which was at the address earlier or later */
    bool has_srcline; /* a source line was printed, though it may be empty */
};

enum { FRAME_ADDR = 16 };

/* Return the address as text: as it was read, or its digits, written into `text`. Empty if there is
 * none. */
struct span frame_addr(const struct frame *f, char text[static FRAME_ADDR]);

/* Return true where there is no name for the frame. */
static inline bool
frame_is_nameless(const struct frame *f)
{
    return f->sym.len == 0 || span_eq(f->sym, SPAN("[unknown]"));
}

#endif

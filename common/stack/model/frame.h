/* A frame of a stack, split into its parts, from any kind of input. */
#ifndef STACK_FRAME_H
#define STACK_FRAME_H

#include <stdint.h>

#include "common/base/span.h"

/* Parts that the input lacks are empty. The filler of a frame documents what the parts borrow
 * from. */
struct frame {
    uint64_t ip;         /* address; valid if has_ip */
    struct span addr;    /* the address's digits in the input: hexadecimal, without "0x" */
    struct span sym;     /* without the offset; "[unknown]" if perf found no symbol */
    struct span offset;  /* "+0x12" */
    struct span dso;     /* without parentheses; "inlined" for an inlined call */
    struct span srcline; /* "core.c:137": the source line (perf script -F +srcline), trimmed */
    /* Number of blanks after the symbol that are not in `sym`: V8's "LazyCompile:~ ". */
    uint32_t sym_blanks;
    bool has_ip;
    bool has_sym;     /* a symbol was printed, but may be empty */
    bool doubtful;    /* the name may be of other code, at the address earlier or later */
    bool has_srcline; /* a source line was printed, but may be empty */
};

enum { FRAME_ADDR = 16 };

/* Return the address as text: the digits in the input, or else written into `text`. Empty if there
 * is no address. */
struct span frame_addr(const struct frame *f, char text[static FRAME_ADDR]);

/* Return true if the frame has no name. */
static inline bool
frame_is_nameless(const struct frame *f)
{
    return f->sym.len == 0 || span_eq(f->sym, SPAN("[unknown]"));
}

#endif

/* The text after the event of a sample of stackrecord --syscalls:
 *
 *     openat(dfd: AT_FDCWD, filename: 0x4c1010, flags: 0x80000, mode: 0) = -ENOENT
 */
#ifndef STACK_SYSCALLTEXT_H
#define STACK_SYSCALLTEXT_H

#include "common/base/span.h"

/* Spans of the text. */
struct syscalltext {
    struct span name; /* "openat" */
    struct span call; /* with its arguments and brackets */
    struct span result;
    bool failed; /* the result is an error */
};

/* Take the text apart. Return false if it has no name, brackets or result. */
static inline bool
syscalltext_parse(struct span text, struct syscalltext *t)
{
    size_t end = text.len > 0 ? span_rsearch(text, SPAN(") = ")) : SPAN_NONE;
    if (end == SPAN_NONE)
        return false;
    t->call = span_head(text, end + 1);
    t->name = span_before(t->call, '(');
    t->result = span_from(text, end + sizeof ") = " - 1);
    t->failed = span_starts(t->result, SPAN("-"));
    return t->name.len > 0 && t->name.len < t->call.len && t->result.len > 0;
}

#endif

/* Stacks that exist only in the first of two compared profiles. Folded text with two counts can
 * mark them by their first frame, "(gone);main;parse 10 0", as written by stackdiff --missing. */
#ifndef STACK_GONE_H
#define STACK_GONE_H

#include <stdbool.h>

#include "common/base/span.h"

#define GONE_FRAME "(gone)"

/* Remove the frame from *stack. Return false, with *stack unchanged, if the stack begins with
 * another frame or has no other. */
static inline bool
gone_take(struct span *stack)
{
    static const struct span first = SPAN(GONE_FRAME ";");
    if (!span_starts(*stack, first) || stack->len == first.len)
        return false;
    *stack = span_from(*stack, first.len);
    return true;
}

#endif

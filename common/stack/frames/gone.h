/* Stacks that a comparison of two profiles has in the first one alone. In folded text with two
 * counts their first frame may say so, "(gone);main;parse 10 0": stackdiff --missing writes that. */
#ifndef STACK_GONE_H
#define STACK_GONE_H

#include <stdbool.h>

#include "common/base/span.h"

#define GONE_FRAME "(gone)"

/* Take the frame off *stack. Return false, with *stack unchanged, if it begins with another frame or
 * has no other. */
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

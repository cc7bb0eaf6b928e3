#include "common/stack/model/slice.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/base/decimal.h"

bool
slice_time(struct span time, uint64_t *ms)
{
    const uint64_t part = 1000000000000000; /* a fraction counts in 10^-18 */
    struct decimal d;
    if (!decimal_parse(time, &d) || d.whole > UINT64_MAX / 1000 - 1)
        return false;
    *ms = d.whole * 1000 + d.fraction / part;
    return true;
}

struct span
slice_frame(char text[static SLICE_TEXT], uint64_t ms)
{
    int n = snprintf(text, SLICE_TEXT, "@%" PRIu64 ".%03u", ms / 1000, (unsigned)(ms % 1000));
    return span_of(text, n > 0 ? (size_t)n : 0);
}

bool
slice_take(struct span *stack, uint64_t *ms)
{
    enum { PLACES = 3 };
    if (stack->len == 0 || stack->ptr[0] != '@')
        return false;
    size_t point = 1 + span_run(*stack, 1, is_digit);
    if (point == 1 || point + 1 + PLACES >= stack->len || stack->ptr[point] != '.' ||
        span_run(*stack, point + 1, is_digit) != PLACES || stack->ptr[point + 1 + PLACES] != ';' ||
        !slice_time(span_of(stack->ptr + 1, point + PLACES), ms))
        return false;
    *stack = span_from(*stack, point + 1 + PLACES + 1);
    return true;
}

struct span
slice_off(struct span stack)
{
    uint64_t ms;
    slice_take(&stack, &ms);
    return stack;
}

#include "cmd/flamesvg/wakers.h"

static char *
append(char *to, struct span s)
{
    if (s.len > 0)
        memcpy(to, s.ptr, s.len);
    return to + s.len;
}

struct span
wakers_mark(struct arena *a, struct span stack)
{
    static const struct span between = SPAN(";--;"), mark = SPAN("_[w]");
    size_t room = stack.len + between.len + mark.len;
    for (size_t i = 0; i < stack.len; i++)
        room += stack.ptr[i] == ';' ? mark.len : 0;
    size_t end = span_search(stack, between);
    char *text = arena_text(a, room), *to = text, *kept;
    to = append(to, span_head(stack, end == SPAN_NONE ? stack.len : end));
    kept = to = append(to, between);
    for (bool first = true; end != SPAN_NONE; first = false) {
        stack = span_from(stack, end + between.len);
        end = span_search(stack, between);
        if (!first)
            to = append(to, between);
        size_t len = end == SPAN_NONE ? stack.len : end;
        for (size_t i = 0; i < len; i++) {
            if (stack.ptr[i] == ';')
                to = append(to, mark);
            *to++ = stack.ptr[i];
        }
        to = append(to, mark);
        if (len > 0) /* empty parts at the end are dropped */
            kept = to;
    }
    return span_of(text, (size_t)(kept - text));
}

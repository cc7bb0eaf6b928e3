#include "common/symbolize/printable.h"

/* A tab ends nothing, and tracepoints have some in their text. */
static bool
is_control(char c)
{
    return ((unsigned char)c < ' ' && c != '\t') || c == 0x7f;
}

struct span
printable(struct text *copy, struct span s)
{
    size_t at = 0;
    while (at < s.len && !is_control(s.ptr[at]))
        at++;
    if (at == s.len)
        return s;
    copy->len = 0;
    text_add(copy, s);
    for (; at < copy->len; at++)
        if (is_control(copy->ptr[at]))
            copy->ptr[at] = '?';
    return text_span(copy);
}

#include "common/stack/folded.h"

/* Cuts a count and one white space before it off the end of *s. */
static bool
take_count(struct span *s, struct span *count)
{
    size_t at = s->len;
    while (at > 0 && is_digit(s->ptr[at - 1]))
        at--;
    if (at > 0 && s->ptr[at - 1] == '.') {
        at--;
        while (at > 0 && is_digit(s->ptr[at - 1]))
            at--;
    }
    if (at == 0 || at == s->len || !is_digit(s->ptr[at]) || !is_space(s->ptr[at - 1]))
        return false;
    *count = span_from(*s, at);
    *s = span_head(*s, at - 1);
    return true;
}

bool
folded_parse(struct span line, int columns, struct folded *f)
{
    if (line.len > 0 && line.ptr[line.len - 1] == '\r')
        line.len--;
    f->stack = line;
    f->second = SPAN("");
    if (!take_count(&f->stack, &f->count))
        return false;
    if (columns == 1)
        return true;
    struct span last = f->count;
    if (take_count(&f->stack, &f->count)) {
        f->second = last;
        return true;
    }
    return columns == 0;
}

struct span
folded_unmarked(struct span name)
{
    const char *end = name.ptr + name.len;
    bool marked = name.len >= 4 && end[-4] == '_' && end[-3] == '[' && end[-1] == ']' &&
                  span_find(SPAN("kijw"), end[-2]) != SPAN_NONE;
    return span_head(name, marked ? name.len - 4 : name.len);
}

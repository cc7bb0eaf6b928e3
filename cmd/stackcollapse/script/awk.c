#include "cmd/stackcollapse/script/awk.h"

#include "cmd/stackcollapse/script/scriptnum.h"

static bool
is_blank_char(char c)
{
    return c == ' ' || c == '\t';
}

bool
awk_word(struct span *rest, struct span *word)
{
    size_t start = span_run(*rest, 0, is_blank_char), end = start;
    while (end < rest->len && !is_blank_char(rest->ptr[end]))
        end++;
    *word = span_of(rest->ptr + start, end - start);
    *rest = span_from(*rest, end);
    return end > start;
}

bool
awk_is_true(struct span text)
{
    return text.len > 0 && (scriptnum_length(text) < text.len || scriptnum(text) != 0);
}

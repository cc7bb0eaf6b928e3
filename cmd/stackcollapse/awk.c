#include "cmd/stackcollapse/awk.h"

#include <stdlib.h>

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

/* The length of the decimal number at the start of the text: strtod also takes hexadecimal ones,
 * infinities and white space. */
static size_t
number_length(struct span text)
{
    size_t sign = text.len > 0 && (text.ptr[0] == '-' || text.ptr[0] == '+');
    size_t end = sign + span_run(text, sign, is_digit), digits = end - sign;
    if (end < text.len && text.ptr[end] == '.') {
        size_t fraction = span_run(text, end + 1, is_digit);
        digits += fraction;
        end += 1 + fraction;
    }
    if (digits == 0)
        return 0;
    if (end < text.len && (text.ptr[end] == 'e' || text.ptr[end] == 'E')) {
        size_t at = end + 1;
        at += at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+');
        size_t exponent = span_run(text, at, is_digit);
        end = exponent > 0 ? at + exponent : end;
    }
    return end;
}

double
awk_number(struct span text)
{
    char copy[64];
    size_t len = number_length(text);
    len = len < sizeof copy ? len : sizeof copy - 1;
    if (len == 0)
        return 0;
    memcpy(copy, text.ptr, len);
    copy[len] = '\0';
    return strtod(copy, NULL);
}

bool
awk_is_true(struct span text)
{
    return text.len > 0 && (number_length(text) < text.len || awk_number(text) != 0);
}

#include "cmd/stackcollapse/build/wcpsamples.h"

static bool
is_bar(char c)
{
    return c == '=';
}

bool
wcpsamples_parse(struct span line, struct decimal *samples)
{
    if (span_take_run(&line, is_digit).len == 0 || !span_skip(&line, SPAN(".")) ||
        span_take_run(&line, is_digit).len == 0 || !span_skip(&line, SPAN("% ")) ||
        span_take_run(&line, is_bar).len == 0 || !span_skip(&line, SPAN(" (")))
        return false;
    struct span count = span_take_run(&line, is_digit);
    return span_starts(line, SPAN(" samples)")) && decimal_parse(count, samples);
}

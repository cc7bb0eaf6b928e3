#include "cmd/stackcollapse/formats.h"

#include "common/stack/perfline.h"

/* In the order in which they are asked whether a line is theirs. */
static const struct format *const formats[FORMATS] = {&format_perf, &format_folded};

const struct format *
format_at(size_t i)
{
    return formats[i];
}

/* *format becomes the place of the format that claims the line. */
static bool
claimed(void *format, struct span line)
{
    size_t i = 0;
    if (span_trim(line).len == 0 || line.ptr[0] == '#')
        return false;
    while (i < FORMATS && !formats[i]->claims(line))
        i++;
    *(size_t *)format = i;
    return i < FORMATS;
}

size_t
format_guess(struct lines *l)
{
    size_t format;
    return lines_peek(l, PERF_GUESS_MOST, claimed, &format) ? format : 0;
}

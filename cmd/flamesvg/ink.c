/* Contrast as the Web Content Accessibility Guidelines 2.1 define it:
 * https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio */
#include "cmd/flamesvg/ink.h"

#include "common/base/num.h"

/* The three channels, from 0 to 255. */
static bool
read_channels(struct span s, uint64_t channels[static 3])
{
    if (s.len == 7 && s.ptr[0] == '#') {
        for (size_t i = 0; i < 3; i++)
            if (!num_hex(span_head(span_from(s, 1 + 2 * i), 2), &channels[i]))
                return false;
        return true;
    }
    if (!span_starts(s, SPAN("rgb(")) || !span_ends(s, SPAN(")")))
        return false;
    s = span_head(span_from(s, 4), s.len - 5);
    for (size_t i = 0; i < 3; i++) {
        size_t comma = i < 2 ? span_find(s, ',') : s.len;
        if (comma == SPAN_NONE || !num_u64(span_trim(span_head(s, comma)), &channels[i]) ||
            channels[i] > 255)
            return false;
        s = span_from(s, i < 2 ? comma + 1 : comma);
    }
    return true;
}

/* A channel of sRGB as a part of the light, from 0 to 1: a polynomial that is within 0.002 of the
 * exact power of 2.4, for which C needs libm. */
static double
linear(uint64_t channel)
{
    double c = (double)channel / 255;
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

bool
ink_is_white(struct span colour)
{
    uint64_t c[3];
    if (!read_channels(colour, c))
        return false;
    double luminance = 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
    /* (1 + 0.05) / (luminance + 0.05), white's contrast, is then the larger one. */
    return (luminance + 0.05) * (luminance + 0.05) < 1.05 * 0.05;
}

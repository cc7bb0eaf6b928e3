/* Contrast as the Web Content Accessibility Guidelines 2.1 define it:
 * https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio */
#include "cmd/flamesvg/contrast.h"

#include <strings.h>

#include "common/base/num.h"

/* The basic colours of CSS (https://www.w3.org/TR/css-color-3/#html4), and a few others that users
 * put into a palette.map. */
static const struct named_colour {
    const char *name;
    struct span colour;
} names[] = {
    {"aqua", SPAN("#00ffff")},    {"black", SPAN("#000000")},  {"blue", SPAN("#0000ff")},
    {"brown", SPAN("#a52a2a")},   {"cyan", SPAN("#00ffff")},   {"fuchsia", SPAN("#ff00ff")},
    {"gold", SPAN("#ffd700")},    {"gray", SPAN("#808080")},   {"green", SPAN("#008000")},
    {"grey", SPAN("#808080")},    {"indigo", SPAN("#4b0082")}, {"lime", SPAN("#00ff00")},
    {"magenta", SPAN("#ff00ff")}, {"maroon", SPAN("#800000")}, {"navy", SPAN("#000080")},
    {"olive", SPAN("#808000")},   {"orange", SPAN("#ffa500")}, {"pink", SPAN("#ffc0cb")},
    {"purple", SPAN("#800080")},  {"red", SPAN("#ff0000")},    {"silver", SPAN("#c0c0c0")},
    {"teal", SPAN("#008080")},    {"violet", SPAN("#ee82ee")}, {"white", SPAN("#ffffff")},
    {"yellow", SPAN("#ffff00")},
};

/* Return the value of a named colour, or s itself. */
static struct span
resolve(struct span s)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (s.len == strlen(names[i].name) && strncasecmp(s.ptr, names[i].name, s.len) == 0)
            return names[i].colour;
    return s;
}

/* Parse "#cd0017", or "#c01", which is short for "#cc0011". */
static bool
read_hex(struct span digits, uint64_t channels[static 3])
{
    size_t each = digits.len / 3;
    if (digits.len != 3 && digits.len != 6)
        return false;
    for (size_t i = 0; i < 3; i++) {
        if (!num_hex(span_head(span_from(digits, each * i), each), &channels[i]))
            return false;
        channels[i] *= each == 1 ? 0x11 : 1;
    }
    return true;
}

/* Parse the three channels, from 0 to 255. */
static bool
read_channels(struct span s, uint64_t channels[static 3])
{
    if (s.len > 0 && s.ptr[0] == '#')
        return read_hex(span_from(s, 1), channels);
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

/* Convert a channel of sRGB to linear light, from 0 to 1. The polynomial is within 0.002 of the
 * exact power of 2.4, for which C needs libm. */
static double
linear(uint64_t channel)
{
    double c = (double)channel / 255;
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

bool
contrast_is_white(struct span colour)
{
    uint64_t c[3];
    if (!read_channels(span_starts(colour, SPAN("rgb")) ? colour : resolve(colour), c))
        return false;
    double luminance = 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
    /* So the contrast to white, (1 + 0.05) / (luminance + 0.05), is the larger one. */
    return (luminance + 0.05) * (luminance + 0.05) < 1.05 * 0.05;
}

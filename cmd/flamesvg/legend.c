#include "cmd/flamesvg/legend.h"

#include <string.h>

static double
entry_width(enum frame_kind kind, const struct options *o)
{
    /* A square, the label, and the width of two letters on either side of it. */
    return o->fontsize +
           ((double)strlen(palette_kind_label(kind)) + 4) * o->fontsize * o->fontwidth;
}

void
legend_place(struct legend *l, const struct frames *frames, const struct options *o)
{
    bool used[KIND_COUNT + 1] = {false};
    *l = (struct legend){0};
    if (!o->palette->kinds)
        return;
    for (size_t i = 0; i < frames->count; i++)
        if (frames_is_drawn(frames, &frames->list[i]))
            used[palette_kind(frames_name(frames, &frames->list[i]))] = true;
    double x = o->width; /* so that the first entry begins a row */
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (!used[kind])
            continue;
        double width = entry_width((enum frame_kind)kind, o);
        if (x + width > o->width - OPTIONS_XPAD) {
            x = OPTIONS_XPAD;
            l->rows++;
        }
        l->x[kind] = x;
        l->row[kind] = l->rows - 1;
        x += width;
    }
}

static double
row_height(const struct options *o)
{
    return o->fontsize * 1.5;
}

double
legend_height(const struct legend *l, const struct options *o)
{
    return l->rows > 0 ? l->rows * row_height(o) + o->fontsize / 2 : 0;
}

/* The entries of a row are parts of one text, so that the gaps between them are even whatever the
 * width of the letters. A row is one line of the file: white space in it would be drawn. */
void
legend_draw(const struct legend *l, const struct xmltext *x, const struct options *o, double y)
{
    if (l->rows == 0)
        return;
    char colour[COLOUR_TEXT];
    out_text(x->out, "<g id=\"legend\">");
    for (int kind = 0, row = -1; kind < KIND_COUNT; kind++) {
        if (l->x[kind] == 0)
            continue;
        bool first = l->row[kind] != row;
        if (first) {
            row = l->row[kind];
            out_cstr(x->out, row > 0 ? "</text>\n<text" : "\n<text");
            xmltext_number(x, "x", l->x[kind]);
            xmltext_number(x, "y", y + row * row_height(o));
            out_char(x->out, '>');
        }
        out_text(x->out, "<tspan");
        xmltext_number(x, "dx", first ? 0 : o->fontsize * 1.5);
        xmltext_attribute(x, "fill",
                          palette_text(colour, palette_kind_colour((enum frame_kind)kind)));
        out_char(x->out, '>');
        xmltext_put(x, SPAN("\xe2\x96\xa0")); /* a black square, U+25A0 */
        out_text(x->out, "</tspan><tspan");
        xmltext_number(x, "dx", o->fontsize / 2);
        out_char(x->out, '>');
        xmltext_put(x, span_cstr(palette_kind_label((enum frame_kind)kind)));
        out_text(x->out, "</tspan>");
    }
    out_text(x->out, "</text>\n</g>\n");
}

#include "cmd/flamesvg/legend.h"

#include <string.h>

/* The same words as in the script: legendOfSides in ui/legend.js. */
#define LEGEND_SECOND "more in the second profile (its counts are the widths)"
#define LEGEND_FIRST  "more in the first"

static void
add(struct legend *l, const char *label, struct colour colour)
{
    l->entries[l->count++] = (struct legend_entry){.label = label, .colour = colour};
}

static void
add_kinds(struct legend *l, const struct frames *frames)
{
    bool used[KIND_COUNT + 1] = {false};
    for (size_t i = 0; i < frames->count; i++)
        if (frames_is_drawn(frames, &frames->list[i]))
            used[palette_kind(frames_name(frames, &frames->list[i]))] = true;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (used[kind])
            add(l, palette_kind_label((enum frame_kind)kind),
                palette_kind_colour((enum frame_kind)kind));
}

void
legend_place(struct legend *l, const struct frames *frames, const struct options *o)
{
    *l = (struct legend){0};
    if (frames->compared && !o->perl) {
        double more = o->negate ? -1 : 1;
        l->below = true;
        add(l, LEGEND_SECOND, palette_delta(o->palette, more, 1));
        add(l, LEGEND_FIRST, palette_delta(o->palette, -more, 1));
    } else if (o->palette->kinds) {
        add_kinds(l, frames);
    }
    double x = o->width; /* makes the first entry begin a row */
    for (int i = 0; i < l->count; i++) {
        struct legend_entry *entry = &l->entries[i];
        /* A square, the label, and two letters' width on either side. */
        double width =
            o->fontsize + ((double)strlen(entry->label) + 4) * o->fontsize * o->fontwidth;
        if (x + width > o->width - OPTIONS_XPAD) {
            x = OPTIONS_XPAD;
            l->rows++;
        }
        entry->x = x;
        entry->row = l->rows - 1;
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
    return l->rows > 0 && !l->below ? l->rows * row_height(o) + o->fontsize / 2 : 0;
}

/* Draw the legend. The entries of a row are parts of one text, so that the gaps between them are
 * even whatever the width of letters. A row is one line of the file, since white space in it would
 * be drawn. */
void
legend_draw(const struct legend *l, const struct xmltext *x, const struct options *o, double y)
{
    if (l->rows == 0)
        return;
    char colour[COLOUR_TEXT];
    out_text(x->out, "<g id=\"legend\">");
    for (int i = 0, row = -1; i < l->count; i++) {
        const struct legend_entry *entry = &l->entries[i];
        bool first = entry->row != row;
        if (first) {
            row = entry->row;
            out_cstr(x->out, row > 0 ? "</text>\n<text" : "\n<text");
            xmltext_number(x, "x", entry->x);
            xmltext_number(x, "y", y + row * row_height(o));
            out_char(x->out, '>');
        }
        out_text(x->out, "<tspan");
        xmltext_number(x, "dx", first ? 0 : o->fontsize * 1.5);
        xmltext_attribute(x, "fill", palette_text(colour, entry->colour));
        out_char(x->out, '>');
        xmltext_put(x, SPAN("\xe2\x96\xa0")); /* U+25A0, a black square */
        out_text(x->out, "</tspan><tspan");
        xmltext_number(x, "dx", o->fontsize / 2);
        out_char(x->out, '>');
        xmltext_put(x, span_cstr(entry->label));
        out_text(x->out, "</tspan>");
    }
    out_text(x->out, "</text>\n</g>\n");
}

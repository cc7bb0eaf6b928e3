#include "cmd/flamesvg/fill.h"

#include <math.h>

/* The frames between the stacks of chain graphs and of off-CPU samples; ptr NULL: another name. */
static struct span
separator_fill(struct span name)
{
    return span_eq(name, SPAN("--"))  ? SPAN("rgb(160,160,160)")
           : span_eq(name, SPAN("-")) ? SPAN("rgb(200,200,200)")
                                      : (struct span){NULL, 0};
}

struct span
fill_of_name(const struct svg *s, struct span name, char text[static COLOUR_TEXT])
{
    double shade[3];
    struct span known = separator_fill(name);
    if (known.len == 0 && s->colormap != NULL)
        known = colormap_find(s->colormap, name);
    if (known.len > 0)
        return known;
    shade_of(s->shade, name, shade);
    struct span colour = palette_text(text, palette_colour(s->options->palette, name, shade));
    if (s->colormap != NULL)
        colormap_set(s->colormap, name, colour);
    return colour;
}

struct span
fill_of_frame(const struct svg *s, const struct frame *f, char text[static COLOUR_TEXT])
{
    if (isnan(f->delta) || separator_fill(f->name).len > 0)
        return fill_of_name(s, f->name, text);
    double delta = s->options->negate ? -f->delta : f->delta;
    return palette_text(text, palette_delta(s->options->palette, delta, s->max_delta));
}

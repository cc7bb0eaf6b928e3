#include "cmd/flamesvg/names.h"

#include <math.h>
#include <stdlib.h>

/* Return the fill of separator frames in chain graphs and off-CPU stacks; ptr NULL for other
 * names. */
static struct span
separator_fill(struct span name)
{
    return span_eq(name, SPAN("--"))  ? SPAN("rgb(160,160,160)")
           : span_eq(name, SPAN("-")) ? SPAN("rgb(200,200,200)")
                                      : (struct span){NULL, 0};
}

/* Return the colour of a name: that in the colormap, to which new names are added, or the
 * palette's. */
static struct span
fill_of_name(const struct svg *s, struct span name, char text[static COLOUR_TEXT])
{
    double shade[3];
    struct span known = separator_fill(name);
    if (known.len == 0 && s->colormap != NULL)
        known = colormap_find(s->colormap, name);
    if (known.len > 0)
        return known;
    shade_of(s->shade, name, shade);
    bool quiet = !s->options->perl && palette_is_quiet(name);
    struct span colour =
        palette_text(text, quiet ? palette_quiet_colour(name, shade)
                                 : palette_colour(s->options->palette, name, shade));
    if (s->colormap != NULL)
        colormap_set(s->colormap, name, colour);
    return colour;
}

struct span
names_fill_of_frame(const struct svg *s, const struct merged_frame *f,
                    char text[static COLOUR_TEXT])
{
    struct span name = frames_name(s->frames, f);
    double delta = frames_delta(s->frames, f);
    if (isnan(delta) || separator_fill(name).len > 0)
        return fill_of_name(s, name, text);
    delta = s->options->negate ? -delta : delta;
    return palette_text(text, palette_delta(s->options->palette, delta, s->max_delta));
}

static uint32_t
number_fill(struct names *n, const struct svg *s, struct span name)
{
    char text[COLOUR_TEXT];
    return intern_add(&n->fills, fill_of_name(s, name, text));
}

/* Number the used names in the order of their first frames. */
static void
number_names(struct names *n, const struct frames *f)
{
    size_t left = f->names.count;
    n->number = mem_alloc(left * sizeof *n->number);
    for (size_t i = 0; i < f->names.count; i++)
        n->number[i] = INTERN_NONE;
    for (size_t i = 0; i < f->count && left > 0; i++) {
        uint32_t *number = &n->number[f->list[i].name];
        if (*number != INTERN_NONE)
            continue;
        *number = intern_add(&n->texts, frames_name(f, &f->list[i]));
        left--;
    }
}

static void
number_random(struct names *n, const struct svg *s)
{
    const struct frames *f = s->frames;
    for (int drawn = 1; drawn >= 0; drawn--)
        for (size_t i = 0; i < f->count; i++)
            if (frames_is_drawn(f, &f->list[i]) == drawn)
                n->fill_of[i] = number_fill(n, s, frames_name(f, &f->list[i]));
}

void
names_number(struct names *n, const struct svg *s)
{
    const struct frames *f = s->frames;
    struct svg unmapped = *s; /* --cp does not store the colours of a comparison */
    if (f->compared) {
        unmapped.colormap = NULL;
        s = &unmapped;
    }
    *n = (struct names){.random = s->shade->rule == SHADE_RANDOM};
    number_names(n, f);
    n->fill_of = mem_alloc((n->random ? f->count : n->texts.count) * sizeof *n->fill_of);
    if (n->random)
        number_random(n, s);
    for (uint32_t id = 0; !n->random && id < n->texts.count; id++)
        n->fill_of[id] = number_fill(n, s, intern_text(&n->texts, id));
}

struct span
names_fill(const struct names *n, const struct svg *s, size_t frame, char text[static COLOUR_TEXT])
{
    const struct merged_frame *f = &s->frames->list[frame];
    if (!isnan(frames_delta(s->frames, f)))
        return names_fill_of_frame(s, f, text);
    return intern_text(&n->fills, n->fill_of[n->random ? frame : names_of_frame(n, f)]);
}

void
names_free(struct names *n)
{
    intern_free(&n->texts);
    intern_free(&n->fills);
    free(n->number);
    free(n->fill_of);
}

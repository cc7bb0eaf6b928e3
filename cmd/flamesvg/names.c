#include "cmd/flamesvg/names.h"

#include <math.h>
#include <stdlib.h>

#include "cmd/flamesvg/fill.h"

static uint32_t
number_fill(struct names *n, const struct svg *s, struct span name)
{
    char text[COLOUR_TEXT];
    return intern_add(&n->fills, fill_of_name(s, name, text));
}

static void
number_random(struct names *n, const struct svg *s)
{
    const struct frames *f = s->frames;
    for (int drawn = 1; drawn >= 0; drawn--)
        for (size_t i = 0; i < f->count; i++)
            if (frames_is_drawn(f, &f->list[i]) == drawn)
                n->fill_of[i] = number_fill(n, s, f->list[i].name);
}

void
names_number(struct names *n, const struct svg *s)
{
    const struct frames *f = s->frames;
    struct svg unmapped = *s; /* --cp does not keep the colours of a comparison */
    if (f->compared) {
        unmapped.colormap = NULL;
        s = &unmapped;
    }
    *n = (struct names){.random = s->shade->rule == SHADE_RANDOM};
    n->of_frame = mem_alloc(f->count * sizeof *n->of_frame);
    for (size_t i = 0; i < f->count; i++)
        n->of_frame[i] = intern_add(&n->texts, f->list[i].name);
    n->fill_of = mem_alloc((n->random ? f->count : n->texts.count) * sizeof *n->fill_of);
    if (n->random)
        number_random(n, s);
    for (uint32_t id = 0; !n->random && id < n->texts.count; id++)
        n->fill_of[id] = number_fill(n, s, intern_text(&n->texts, id));
}

struct span
names_fill(const struct names *n, const struct svg *s, size_t frame, char text[static COLOUR_TEXT])
{
    if (!isnan(s->frames->list[frame].delta))
        return fill_of_frame(s, &s->frames->list[frame], text);
    return intern_text(&n->fills, n->fill_of[n->random ? frame : n->of_frame[frame]]);
}

void
names_free(struct names *n)
{
    intern_free(&n->texts);
    intern_free(&n->fills);
    free(n->of_frame);
    free(n->fill_of);
}

/* The legend: the colours of kinds of frames, or of the two sides of a comparison. Kinds are in
 * extra rows below the title. Sides are in the space below the frames, so that the frames stay
 * where flamegraph.pl draws them. */
#ifndef FLAMESVG_LEGEND_H
#define FLAMESVG_LEGEND_H

#include "cmd/flamesvg/frames.h"
#include "cmd/flamesvg/options.h"
#include "cmd/flamesvg/xmltext.h"

struct legend {
    struct legend_entry {
        const char *label;
        struct colour colour;
        double x; /* left edge in pixels */
        int row;
    } entries[KIND_COUNT];
    int count, rows;
    bool below; /* the legend is below the frames */
};

/* Lay out the legend. If frames are compared, it has the two sides, except under the name
 * flamegraph.pl. Otherwise it has the kinds of the drawn frames, if the palette is by kind, or
 * nothing. */
void legend_place(struct legend *l, const struct frames *frames, const struct options *o);

/* Return the height that all rows add to the picture, in pixels. */
double legend_height(const struct legend *l, const struct options *o);

/* Draw the entries; y is the baseline of the first row's text. */
void legend_draw(const struct legend *l, const struct xmltext *x, const struct options *o,
                 double y);

#endif

/* The legend: which colour means which kind of frame, or which side of a comparison. Kinds are in
 * rows of their own below the title, sides in the space below the frames, so that the frames stay
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
        double x; /* where it begins, in pixels */
        int row;
    } entries[KIND_COUNT];
    int count, rows;
    bool below; /* the frames */
};

/* Place the two sides where frames are compared, except under the name flamegraph.pl; else the
 * kinds that occur among the frames that are drawn; none if the palette is not by kind. */
void legend_place(struct legend *l, const struct frames *frames, const struct options *o);

/* Return the height that all rows add to the picture, in pixels. */
double legend_height(const struct legend *l, const struct options *o);

/* Draw the entries; y is the baseline of the first row's text. */
void legend_draw(const struct legend *l, const struct xmltext *x, const struct options *o,
                 double y);

#endif

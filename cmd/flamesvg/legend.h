/* The legend: which colour means which kind of frame, in rows below the title. */
#ifndef FLAMESVG_LEGEND_H
#define FLAMESVG_LEGEND_H

#include "cmd/flamesvg/frames.h"
#include "cmd/flamesvg/options.h"
#include "cmd/flamesvg/xmltext.h"

struct legend {
    double x[KIND_COUNT]; /* where the kind's entry begins, in pixels; 0: it does not occur */
    int row[KIND_COUNT];
    int rows;
};

/* Place the kinds that occur among the frames that are drawn; none if the palette is not by
 * kind. */
void legend_place(struct legend *l, const struct frames *frames, const struct options *o);

/* Return the height of all rows in pixels; 0 without entries. */
double legend_height(const struct legend *l, const struct options *o);

/* Draw the entries; y is the baseline of the first row's text. */
void legend_draw(const struct legend *l, const struct xmltext *x, const struct options *o,
                 double y);

#endif

/* The SVG picture. */
#ifndef FLAMESVG_SVG_H
#define FLAMESVG_SVG_H

#include "cmd/flamesvg/colormap.h"
#include "cmd/flamesvg/frames.h"
#include "cmd/flamesvg/nameattr.h"
#include "cmd/flamesvg/options.h"
#include "common/base/out.h"

/* What a picture is drawn from. Everything is borrowed; new colours are added to the colormap, and
 * random colours advance `shade`. */
struct svg {
    const struct options *options;
    const struct frames *frames;
    const struct nameattr *attrs;
    struct colormap *colormap; /* NULL: no --cp */
    struct shade *shade;
    double total;     /* the count of the whole width */
    double per_count; /* pixels of a count of 1 */
    double max_delta; /* as in struct stacks */
    double scale;     /* by which the script's table multiplies counts, so that they are whole */
};

/* Write the picture. */
void svg_draw(const struct svg *s, struct out *out);

/* Write a small picture with the text "ERROR: No valid input provided to <program>." */
void svg_draw_error(const struct options *o, struct out *out);

#endif

/* The picture. */
#ifndef FLAMESVG_SVG_H
#define FLAMESVG_SVG_H

#include "cmd/flamesvg/colormap.h"
#include "cmd/flamesvg/frames.h"
#include "cmd/flamesvg/nameattr.h"
#include "cmd/flamesvg/options.h"
#include "common/base/out.h"

/* All that a picture shows. Everything is borrowed; colours that are new go into the map, and
 * random shades are taken from `shade`. */
struct svg {
    const struct options *options;
    const struct frames *frames;
    const struct nameattr *attrs;
    struct colormap *colormap; /* NULL: none is kept */
    struct shade *shade;
    double total;     /* what the whole width stands for */
    double per_count; /* pixels */
    double max_delta;
};

void svg_draw(const struct svg *s, struct out *out);

/* A small picture that says that there was nothing to draw. */
void svg_draw_error(const struct options *o, struct out *out);

#endif

/* The picture being drawn: its dimensions and its input. */
#ifndef FLAMESVG_CANVAS_H
#define FLAMESVG_CANVAS_H

#include "cmd/flamesvg/colormap.h"
#include "cmd/flamesvg/frames.h"
#include "cmd/flamesvg/nameattr.h"
#include "cmd/flamesvg/options.h"
#include "cmd/flamesvg/xmltext.h"

struct slices;
struct sourcelines;

enum { CANVAS_GAP = 1 }; /* pixels between rows */

/* The input of a picture. Everything is borrowed. Drawing adds new colours to the colormap, and
 * advances `shade` for random colours. */
struct svg {
    const struct options *options;
    const struct frames *frames;
    const struct nameattr *attrs;
    struct colormap *colormap; /* NULL: no --cp */
    struct shade *shade;
    double total; /* count of the full width */
    double
        gone; /* part of `total` that exists only in the first profile; excluded from percentages */
    double per_count;                /* pixels for a count of 1 */
    double max_delta;                /* as in struct stacks */
    struct slices *slices;           /* for the HTML page; NULL: none */
    const struct sourcelines *lines; /* the same; NULL: no --lines */
    double scale; /* factor that makes the counts in the script's table whole numbers */
};

/* Everything is borrowed; sizes are in pixels. */
struct canvas {
    const struct svg *svg;
    const struct options *o;
    struct xmltext xml;
    struct arena *arena; /* for names that are displayed in another form */
    double width, height;
    double top;    /* y of the root's row in an icicle graph */
    double first;  /* y of the topmost row */
    double bottom; /* height of the part below the frames */
};

/* Compute the layout. `legend` is the height of the legend, 0 without one. */
struct canvas canvas_lay_out(const struct svg *s, struct out *out, double legend,
                             struct arena *arena);

/* Write the attributes of the root element, which the script and the style read. `picture` tells
 * the script the kind of picture: "perl", "svg" or "html". */
void canvas_put_data(const struct canvas *c, const char *picture);

#endif

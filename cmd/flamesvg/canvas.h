/* The picture that is being drawn: its sizes and what it is drawn from. */
#ifndef FLAMESVG_CANVAS_H
#define FLAMESVG_CANVAS_H

#include "cmd/flamesvg/colormap.h"
#include "cmd/flamesvg/frames.h"
#include "cmd/flamesvg/nameattr.h"
#include "cmd/flamesvg/options.h"
#include "cmd/flamesvg/xmltext.h"

struct slices;

enum { CANVAS_GAP = 1 }; /* pixels between rows */

/* What a picture is drawn from. Everything is borrowed; new colours are added to the colormap, and
 * random colours advance `shade`. */
struct svg {
    const struct options *options;
    const struct frames *frames;
    const struct nameattr *attrs;
    struct colormap *colormap; /* NULL: no --cp */
    struct shade *shade;
    double total;          /* the count of the whole width */
    double gone;           /* of these, what is not 100 %: those of stacks that are gone */
    double per_count;      /* pixels of a count of 1 */
    double max_delta;      /* as in struct stacks */
    struct slices *slices; /* for the page; NULL: there are none */
    double scale; /* by which the script's table multiplies counts, so that they are whole */
};

/* Everything is borrowed; sizes are in pixels. */
struct canvas {
    const struct svg *svg;
    const struct options *o;
    struct xmltext xml;
    struct arena *arena; /* for names that are not shown as they are */
    double width, height;
    double top;    /* y of the root's row in an icicle graph */
    double first;  /* y of the topmost row */
    double bottom; /* height of the part below the frames */
};

/* Lay the picture out; `legend` is the height of its legend, 0 without one. */
struct canvas canvas_lay_out(const struct svg *s, struct out *out, double legend,
                             struct arena *arena);

/* Write the attributes of the root element that the script and the style read. `picture` tells the
 * script which one it is: "perl", "svg" or "html". */
void canvas_put_data(const struct canvas *c, const char *picture);

#endif

/* Draws one frame. */
#ifndef FLAMESVG_BOX_H
#define FLAMESVG_BOX_H

#include "cmd/flamesvg/svg.h"
#include "cmd/flamesvg/xml.h"

/* The picture that is being drawn. Everything is borrowed; sizes are in pixels. */
struct canvas {
    const struct svg *svg;
    const struct options *o;
    struct xml xml;
    struct arena *arena; /* for names that are not shown as they are */
    double width, height;
    double top;    /* y of the root's row in an icicle graph */
    double bottom; /* height of the part below the frames */
};

/* Writes the frame's group: title, rectangle and text. */
void box_draw(const struct canvas *c, const struct frame *f);

#endif

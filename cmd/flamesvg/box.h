/* A frame in the picture. */
#ifndef FLAMESVG_BOX_H
#define FLAMESVG_BOX_H

#include "cmd/flamesvg/svg.h"
#include "cmd/flamesvg/xml.h"

/* A picture being drawn. */
struct canvas {
    const struct svg *svg;
    const struct options *o;
    struct xml xml;
    double width, height;
    double top;    /* where the root's row begins in an icicle graph */
    double bottom; /* height of what is below the frames */
};

void box_draw(const struct canvas *c, const struct frame *f);

#endif

/* The frames under a pixel, for viewers that do not run the script: of each colour one path. */
#ifndef FLAMESVG_MOSAIC_H
#define FLAMESVG_MOSAIC_H

#include "cmd/flamesvg/box.h"

struct tile;

struct mosaic {
    struct intern fills;
    struct path {
        size_t first, last; /* its tiles */
    } * paths;              /* by the fill's number */
    struct tile *tiles;
    size_t *newest; /* by depth: the row's last tile, or SPAN_NONE */
    size_t paths_cap, count, tiles_cap, rows, newest_cap;
};

/* Adds a frame, which no earlier one of its depth is to the right of; {0} is an empty mosaic. */
void mosaic_add(struct mosaic *m, const struct canvas *c, const struct frame *f, struct span fill);

/* Writes the paths, unless there are none, and frees the mosaic. */
void mosaic_draw(struct mosaic *m, const struct canvas *c);

#endif

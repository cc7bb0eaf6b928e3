/* The frames under a pixel, for viewers that do not run the script: of each colour one path. */
#ifndef FLAMESVG_MOSAIC_H
#define FLAMESVG_MOSAIC_H

#include "cmd/flamesvg/box.h"

struct tile;

struct mosaic {
    struct intern fills;
    struct tile *tiles;
    size_t count, cap;
};

/* Adds a frame; {0} is an empty mosaic. */
void mosaic_add(struct mosaic *m, const struct canvas *c, const struct frame *f, struct span fill);

/* Writes the paths, unless there are none, and frees the mosaic. */
void mosaic_draw(struct mosaic *m, const struct canvas *c);

#endif

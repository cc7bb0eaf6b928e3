/* The SVG picture. */
#ifndef FLAMESVG_SVG_H
#define FLAMESVG_SVG_H

#include "cmd/flamesvg/canvas.h"

/* Write the picture. */
void svg_draw(const struct svg *s, struct out *out);

/* Write a small picture with the text "ERROR: No valid input provided to <program>." */
void svg_draw_error(const struct options *o, struct out *out);

#endif

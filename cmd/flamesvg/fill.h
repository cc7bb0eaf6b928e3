/* The colour that a frame is filled with. */
#ifndef FLAMESVG_FILL_H
#define FLAMESVG_FILL_H

#include "cmd/flamesvg/palette.h"
#include "cmd/flamesvg/svg.h"

/* A frame's colour as SVG writes it, "rgb(205,0,23)": by its difference where profiles are
 * compared, else by its name. The span is of `text`, of the colormap or constant. */
struct span fill_of_frame(const struct svg *s, const struct frame *f,
                          char text[static COLOUR_TEXT]);

/* The colour of a name: that of the colormap, to which a new one is added, or the palette's. */
struct span fill_of_name(const struct svg *s, struct span name, char text[static COLOUR_TEXT]);

#endif

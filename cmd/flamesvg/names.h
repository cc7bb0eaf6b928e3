/* Numbers the different names and the different fills of all frames. */
#ifndef FLAMESVG_NAMES_H
#define FLAMESVG_NAMES_H

#include "cmd/flamesvg/canvas.h"

struct names {
    struct intern texts; /* number 0 is the root's, the empty text */
    uint32_t *number;    /* indexed by number in frames.names; INTERN_NONE: not used */
    struct intern fills;
    uint32_t *fill_of; /* indexed by frame if `random`, else by number in `texts` */
    bool random;
};

/* Number names and fills. Random fills are assigned to the drawn frames first, as if the others did
 * not exist. */
void names_number(struct names *n, const struct svg *s);

/* Return the number of a frame's name. */
static inline uint32_t
names_of_frame(const struct names *n, const struct merged_frame *f)
{
    return n->number[f->name];
}

/* Return the fill of the frame at an index, a span of n or of `text`. */
struct span names_fill(const struct names *n, const struct svg *s, size_t frame,
                       char text[static COLOUR_TEXT]);

/* Return a frame's colour for SVG, "rgb(205,0,23)": by its delta if profiles are compared, else by
 * its name. The span is in `text` or the colormap, or constant. */
struct span names_fill_of_frame(const struct svg *s, const struct merged_frame *f,
                                char text[static COLOUR_TEXT]);

void names_free(struct names *n);

#endif

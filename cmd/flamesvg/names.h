/* The names and the fills of all frames, each different one once, with a number. */
#ifndef FLAMESVG_NAMES_H
#define FLAMESVG_NAMES_H

#include "cmd/flamesvg/canvas.h"

struct names {
    struct intern texts; /* number 0 is the root's, the empty text */
    uint32_t *number;    /* by the number in frames.names; INTERN_NONE: it does not occur */
    struct intern fills;
    uint32_t *fill_of; /* by the frame's index if they are random, else by the name's number */
    bool random;
};

/* Number them. Random fills go to the frames that are drawn first, as if the others did not
 * exist. */
void names_number(struct names *n, const struct svg *s);

/* Return the number of a frame's name. */
static inline uint32_t
names_of_frame(const struct names *n, const struct merged_frame *f)
{
    return n->number[f->name];
}

/* Return the fill of the frame at that index; the span is n's or of `text`. */
struct span names_fill(const struct names *n, const struct svg *s, size_t frame,
                       char text[static COLOUR_TEXT]);

/* Return a frame's colour as SVG writes it, "rgb(205,0,23)": by its difference where profiles are
 * compared, else by its name. The span is of `text`, of the colormap or constant. */
struct span names_fill_of_frame(const struct svg *s, const struct merged_frame *f,
                                char text[static COLOUR_TEXT]);

void names_free(struct names *n);

#endif

/* --cp: the file palette.map, which keeps each name's colour from one picture to the next. */
#ifndef FLAMESVG_COLORMAP_H
#define FLAMESVG_COLORMAP_H

#include "common/base/diag.h"
#include "common/base/intern.h"

struct colormap {
    struct intern names;
    struct span *colours; /* by the name's number, as an SVG attribute takes them */
    size_t cap;
    struct arena arena;
};

/* Reads palette.map in the working directory; where there is none, the map is empty. Lines that are
 * no "name->colour" are reported as warnings. False, and an error reported, where it cannot be
 * read. */
bool colormap_read(struct colormap *m, struct diag *diag);

/* The name's colour, or ptr NULL. */
struct span colormap_find(const struct colormap *m, struct span name);

/* Sets the name's colour; both are copied. */
void colormap_set(struct colormap *m, struct span name, struct span colour);

/* Puts a new palette.map in the old one's place. Where it cannot, an error is reported. */
void colormap_write(const struct colormap *m, struct diag *diag);

#endif

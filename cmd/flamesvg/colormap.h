/* --cp: the file palette.map, which keeps each name's colour from one picture to the next. */
#ifndef FLAMESVG_COLORMAP_H
#define FLAMESVG_COLORMAP_H

#include "common/base/diag.h"
#include "common/base/intern.h"

struct colormap {
    struct intern names;
    struct span *colours; /* by the name's number, as an SVG attribute takes them */
    size_t cap;
    size_t read;      /* the number of names that come from the file */
    const char *path; /* of the file that is read */
    struct arena arena;
};

enum { COLORMAP_MAX = 1 << 26 }; /* bytes of a palette.map */

/* Read palette.map in the working directory; the map is empty if there is no such file. A symbolic
 * link is followed, once, if it is our own or root's. Lines that are not "name->colour" are
 * reported as warnings. Returns false, and reports an error, if the file cannot be read. */
bool colormap_read(struct colormap *m, struct diag *diag);

/* Return the name's colour, or ptr NULL. */
struct span colormap_find(const struct colormap *m, struct span name);

/* Set the name's colour; both are copied. */
void colormap_set(struct colormap *m, struct span name, struct span colour);

/* Replace palette.map, or the file that it led to, if there are names that it lacks. A file
 * that is read-only stays as it is. An error is reported if the new names cannot be kept. */
void colormap_write(const struct colormap *m, struct diag *diag);

#endif

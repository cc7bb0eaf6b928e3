/* --cp: the file palette.map, which keeps the colour of each name from one picture to the next. */
#ifndef FLAMESVG_COLORMAP_H
#define FLAMESVG_COLORMAP_H

#include "common/base/diag.h"
#include "common/base/intern.h"

struct colormap {
    struct intern names;
    struct span *colours; /* indexed by number in `names`; values of SVG attributes */
    size_t cap;
    size_t read;      /* number of names from the file */
    const char *path; /* path of the file */
    struct arena arena;
};

enum { COLORMAP_MAX = 1 << 26 }; /* bytes of a palette.map */

/* Read palette.map in the working directory; the map is empty if there is no such file. One
 * symbolic link is followed, if it is our own or root's. Lines that are not "name->colour" are
 * reported as warnings. Return false, and report an error, if the file cannot be read. */
bool colormap_read(struct colormap *m, struct diag *diag);

/* Return the name's colour; ptr is NULL if it has none. */
struct span colormap_find(const struct colormap *m, struct span name);

/* Set the name's colour; both are copied. */
void colormap_set(struct colormap *m, struct span name, struct span colour);

/* Replace palette.map, or the file that its link leads to, if it lacks some names. A read-only file
 * stays unchanged. Report an error if the new names cannot be kept. */
void colormap_write(const struct colormap *m, struct diag *diag);

#endif

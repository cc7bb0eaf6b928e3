/* --html: the picture as a page. Its script draws on a canvas. */
#ifndef FLAMESVG_HTML_H
#define FLAMESVG_HTML_H

#include "cmd/flamesvg/canvas.h"

/* Write the page. Its content security policy allows only our script and our style, and no
 * requests. */
void html_draw(const struct svg *s, struct out *out);

/* Write a page with the text "ERROR: No valid input provided to flamesvg." */
void html_draw_error(const struct options *o, struct out *out);

#endif

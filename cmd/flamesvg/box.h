/* Draws one frame. */
#ifndef FLAMESVG_BOX_H
#define FLAMESVG_BOX_H

#include "cmd/flamesvg/canvas.h"

/* Where a frame is, in pixels. */
struct box {
    double x1, x2, y, height;
};

struct box box_of(const struct canvas *c, const struct merged_frame *f);

/* Write the frame's group: title, rectangle and text. `attrs` are those of its name, or NULL. */
void box_draw(const struct canvas *c, const struct merged_frame *f, const struct attrs *attrs,
              struct span fill);

/* Return the text as it is shown: with its controls of text direction made visible, but in
 * flamegraph.pl's pictures unchanged. It is borrowed, or in the arena. */
struct span box_visible(const struct canvas *c, struct span text);

/* Return the name as it is shown: without its mark, and as box_visible. flamegraph.pl does not know
 * async-profiler's marks, _[0] and _[1], and keeps them. */
struct span box_name(const struct canvas *c, struct span name);

#endif

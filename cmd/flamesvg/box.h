/* Draws one frame. */
#ifndef FLAMESVG_BOX_H
#define FLAMESVG_BOX_H

#include "cmd/flamesvg/canvas.h"

/* The position and size of a frame, in pixels. */
struct box {
    double x1, x2, y, height;
};

struct box box_of(const struct canvas *c, const struct merged_frame *f);

/* Write the frame's group: title, rectangle and text. `attrs` are the attributes of its name, or
 * NULL. */
void box_draw(const struct canvas *c, const struct merged_frame *f, const struct attrs *attrs,
              struct span fill);

/* Return the text as it is shown, borrowed or in the arena: make characters that control the text
 * direction visible, except under the name flamegraph.pl. */
struct span box_visible(const struct canvas *c, struct span text);

/* Return the name as it is shown: as box_visible, without its mark. Under the name flamegraph.pl,
 * async-profiler's marks _[0] and _[1] are kept. */
struct span box_name(const struct canvas *c, struct span name);

#endif

/* Stacks merged into frames: what lies side by side with the same callers is one frame. */
#ifndef FLAMESVG_FRAMES_H
#define FLAMESVG_FRAMES_H

#include "cmd/flamesvg/stacks.h"

struct frame {
    struct span name;  /* empty for the root, which stands for all; borrows from the stacks */
    size_t depth;      /* the root's is 0 */
    double start, end; /* in counts */
    double delta;      /* of the stacks that end here; NAN where there is nothing to compare */
    size_t before;     /* the frame kept before it at this depth, or SPAN_NONE */
};

struct frames {
    struct frame *list; /* a frame stands behind all that it called */
    size_t count, cap;
    size_t deepest;
};

struct frames_rules {
    double narrowest; /* what has a smaller count is left out */
    bool one_end;     /* of frames of one name, depth and end keep the last one's start */
};

void frames_merge(struct frames *f, const struct stacks *stacks, const struct frames_rules *rules);

#endif

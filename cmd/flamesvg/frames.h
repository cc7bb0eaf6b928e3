/* Stacks merged into frames: neighbours with the same name and callers become one frame. */
#ifndef FLAMESVG_FRAMES_H
#define FLAMESVG_FRAMES_H

#include <math.h>

#include "cmd/flamesvg/stacks.h"
#include "common/base/intern.h"

/* Small, since drawing many of them takes the time of reading them from memory. */
struct merged_frame {
    uint32_t name;     /* its number in frames.names; the root's is 0, the empty text */
    uint32_t depth;    /* the root's is 0 */
    double start, end; /* in counts, from 0 at the left edge */
};

/* Frames that are too narrow to be drawn are kept if there are no more frames than this: a browser
 * is slow with more. */
enum { FRAMES_MOST = 500 * 1000 };

/* Where more frames than these are wide enough, stacks are cut to their frames next to the root. */
enum { FRAMES_WIDE_MOST = 600 * 1000 };

struct frames {
    struct merged_frame
        *list; /* in preorder: the root, then each frame after its caller, left to right */
    size_t count, cap;
    double *deltas;      /* by frame, see frames_delta; NULL: nothing is compared */
    struct intern names; /* also of frames that are not in the list */
    double least;        /* frames with a smaller count are not in the list */
    double narrowest;    /* frames with a smaller count are in the list, but not drawn */
    size_t deepest;      /* the largest depth of those that are drawn */
    size_t limit;        /* frames of this depth and more are not in the list; SIZE_MAX: all are */
    bool compared;       /* some have a delta */
};

struct frames_rules {
    double narrowest;  /* frames with a smaller count are not drawn */
    bool keep_narrow;  /* they are in the list; the narrowest are not if FRAMES_MOST is exceeded */
    bool dedup_by_end; /* frames with the same name, depth and end are one; the last start counts */
};

/* Fill *f. */
void frames_merge(struct frames *f, const struct stacks *stacks, const struct frames_rules *rules);

static inline struct span
frames_name(const struct frames *f, const struct merged_frame *frame)
{
    return intern_text(&f->names, frame->name);
}

/* Return the difference of the stacks that end in the frame; NAN if there is nothing to compare. */
static inline double
frames_delta(const struct frames *f, const struct merged_frame *frame)
{
    return f->deltas != NULL ? f->deltas[frame - f->list] : NAN;
}

/* Return whether the frame is wide enough to be drawn. */
static inline bool
frames_is_drawn(const struct frames *f, const struct merged_frame *frame)
{
    return frame->end - frame->start >= f->narrowest;
}

/* Move frames so that among those with the same caller the largest is first; their callees move
 * with them. The list is in preorder again. */
void frames_order_by_size(struct frames *f);

#endif

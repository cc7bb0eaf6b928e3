/* Merges stacks into frames: neighbours with the same name and callers become one frame. */
#ifndef FLAMESVG_FRAMES_H
#define FLAMESVG_FRAMES_H

#include <math.h>

#include "cmd/flamesvg/stacks.h"
#include "common/base/intern.h"

/* A frame. It is small, since the time to draw many frames is the time to read them from memory. */
struct merged_frame {
    uint32_t name;     /* its number in frames.names; the root's is 0, the empty text */
    uint32_t depth;    /* the root's is 0 */
    double start, end; /* in counts, from 0 at the left edge */
};

/* Frames too narrow to draw are kept only up to this total number of frames: browsers are slow with
 * more. */
enum { FRAMES_MAX = 500 * 1000 };

/* If more frames than this are wide enough to draw, stacks are cut to the frames next to the
 * root. */
enum { FRAMES_WIDE_MAX = 600 * 1000 };

struct frames {
    struct merged_frame
        *list; /* in preorder: the root, then each frame after its caller, left to right */
    size_t count, cap;
    double *deltas;      /* indexed as `list`, see frames_delta; NULL: nothing is compared */
    struct intern names; /* includes names of frames that are not in the list */
    double least;        /* minimum count of frames in the list */
    double narrowest;    /* minimum count of frames that are drawn */
    size_t deepest;      /* largest depth of the drawn frames */
    size_t limit;        /* depth from which on frames are not in the list; SIZE_MAX: none */
    bool compared;       /* some frames have a delta */
};

struct frames_rules {
    double narrowest;  /* minimum count of frames that are drawn */
    bool keep_narrow;  /* keep narrower frames in the list, as far as FRAMES_MAX permits */
    bool dedup_by_end; /* merge frames with the same name, depth and end; use the last start */
};

/* Set *f to the frames of the stacks. */
void frames_merge(struct frames *f, const struct stacks *stacks, const struct frames_rules *rules);

static inline struct span
frames_name(const struct frames *f, const struct merged_frame *frame)
{
    return intern_text(&f->names, frame->name);
}

/* Return the sum of the deltas of the stacks that end in the frame; NAN if nothing is compared. */
static inline double
frames_delta(const struct frames *f, const struct merged_frame *frame)
{
    return f->deltas != NULL ? f->deltas[frame - f->list] : NAN;
}

/* Return true if the frame is wide enough to draw. */
static inline bool
frames_is_drawn(const struct frames *f, const struct merged_frame *frame)
{
    return frame->end - frame->start >= f->narrowest;
}

/* Reorder frames with the same caller by size, largest first, together with their callees. The list
 * stays in preorder. */
void frames_order_by_size(struct frames *f);

#endif

/* Frames by number, each with what becomes of it: decided once, when it is first seen. */
#ifndef STACKFILTER_FRAMES_H
#define STACKFILTER_FRAMES_H

#include "cmd/stackfilter/rules.h"
#include "cmd/stackfilter/v8work.h"
#include "common/base/intern.h"

struct frame {
    struct span text; /* what is written for it */
    uint32_t name;    /* equal for equal symbols, and of unknown ones for equal DSOs */
    bool dropped;
    unsigned char matched; /* 1u << list, for each list of which a pattern matches */
    unsigned char work;    /* enum v8work, where V8's work is summarized; else WORK_NONE */
};

/* A frame's text taken apart. The parts lie in `whole`, in this order; offset and dso may be
 * empty. */
struct frame_parts {
    struct span whole, sym, offset, dso;
};

struct frames {
    const struct rules *rules;
    struct frame *list; /* by number, counted from 0 in the order of frames_add */
    size_t count, cap;
    struct intern names;
    struct arena arena;
    struct text scratch;
};

void frames_init(struct frames *f, const struct rules *rules);

/* Decides about the next frame. `whole` is borrowed for as long as the frames are used. */
void frames_add(struct frames *f, const struct frame_parts *parts);

#endif

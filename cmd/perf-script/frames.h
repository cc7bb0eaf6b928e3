/* What a frame tells about itself beyond its parts. */
#ifndef PERF_SCRIPT_FRAMES_H
#define PERF_SCRIPT_FRAMES_H

#include "common/stack/frame.h"

/* True if it lies outside every file, as JIT-compiled code does: "[unknown]", "//anon", "[anon]",
 * "/tmp/perf-42.map", "/memfd:jit (deleted)". */
bool frame_is_anonymous(const struct frame *f);

/* True if a perf map may know the name that perf did not. */
static inline bool
frame_is_nameless_jit(const struct frame *f)
{
    return frame_is_nameless(f) && frame_is_anonymous(f);
}

#endif

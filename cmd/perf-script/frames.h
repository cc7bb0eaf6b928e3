/* What a frame tells about itself beyond its parts. */
#ifndef PERF_SCRIPT_FRAMES_H
#define PERF_SCRIPT_FRAMES_H

#include "common/stack/perfline.h"

/* True where perf found no name for it. */
bool frame_is_nameless(const struct perf_frame *f);

/* True where it lies outside every file, as code made at run time does: "[unknown]", "//anon",
 * "[anon]", "/tmp/perf-42.map", "/memfd:jit (deleted)". */
bool frame_is_anonymous(const struct perf_frame *f);

/* True where a perf map may know the name that perf did not. */
static inline bool
frame_is_nameless_jit(const struct perf_frame *f)
{
    return frame_is_nameless(f) && frame_is_anonymous(f);
}

#endif

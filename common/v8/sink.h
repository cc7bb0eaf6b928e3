#ifndef V8_SINK_H
#define V8_SINK_H

#include <stdint.h>

#include "common/base/span.h"

/* The receiver of names. Times are of the samples' clock, in nanoseconds.
 *
 * A report holds from the time `since` on, which lies in the past: it can be as early as the
 * previous v8names_resolve, or as the samples that were added after it, but not earlier than both.
 * A report must take effect before samples of the same time. Of two reports of the same time, the
 * one that is made last holds. */
struct v8names_sink {
    /* From `since` on, the name of code in [start, start + size) is `label`. If the label is empty,
     * the code has no known name; if also start is 0 and size is UINT64_MAX, nothing of this
     * process has one. The label is valid during the call. */
    void (*code)(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span label);
    /* Frames with this return address are interpreted functions. The name of such a frame is that
     * of the address
     *     (word at fp-32) + ((word at fp-40) >> 32)
     * which lies in a BytecodeArray that `code` was called for. `trampoline` is called
     * once for each address. */
    void (*trampoline)(void *ctx, uint64_t since, uint64_t addr);
    /* From `since` on, until `code` is called for these addresses, calls are inlined at [start,
     * start + size), which lies in code that has a name. `labels` are the names of their functions,
     * innermost first, with newlines between them. NULL: inlined calls are not wanted. */
    void (*inlined)(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span labels);
    void *ctx;
};

#endif

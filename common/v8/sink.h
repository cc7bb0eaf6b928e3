#ifndef V8_SINK_H
#define V8_SINK_H

#include <stdint.h>

#include "common/base/span.h"

/* The receiver of names. Times are in nanoseconds of the samples' clock.
 *
 * A report holds from the time `since` on, which is in the past: at the earliest that of the
 * previous v8names_resolve, or of the samples added after it if these are earlier. A report must
 * take effect before samples of the same time. Of two reports with the same time, the later call
 * wins. */
struct v8names_sink {
    /* From `since` on, code in [start, start + size) has the name `label`. If the label is empty,
     * the code has no known name. If also start is 0 and size is UINT64_MAX, nothing in this
     * process has one. The label is valid during the call. */
    void (*code)(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span label);
    /* Frames with this return address are interpreted functions. The name of such a frame is that
     * of the address
     *     (word at fp-32) + ((word at fp-40) >> 32)
     * which lies in a BytecodeArray that `code` was called for. `trampoline` is called
     * once for each address. */
    void (*trampoline)(void *ctx, uint64_t since, uint64_t addr);
    /* From `since` on, until `code` is called for these addresses, calls are inlined at [start,
     * start + size), which is in code that has a name. `labels` are the names of their functions,
     * innermost first, separated by newlines. NULL: inlined calls are not wanted. */
    void (*inlined)(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span labels);
    /* As `inlined`, for the source lines of the code or bytecode: "/srv/app.js:12", or nothing, of
     * each inlined call, if such are wanted and it is a call's address, each followed by a newline;
     * then that of the function that has the name. NULL: lines are not wanted. */
    void (*lines)(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span lines);
    void *ctx;
};

#endif

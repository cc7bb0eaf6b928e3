#ifndef V8_SINK_H
#define V8_SINK_H

#include <stdint.h>

#include "common/base/span.h"

/* Who is told of names. Times are of the samples' clock, in nanoseconds. What is told may hold from
 * a time on that is earlier than samples that were added long ago, but not than those added since
 * the last v8names_resolve and that call. It must come into effect before samples of the same time.
 * Of the same time, what is told last holds. */
struct v8names_sink {
    /* From `since` on, code in [start, start + size) is called `label`; if that is empty, it has no
     * known name. The label is valid during the call. Of start 0 and size UINT64_MAX: nothing of
     * this process has a known name. */
    void (*code)(void *ctx, uint64_t since, uint64_t start, uint64_t size, struct span label);
    /* Frames with this return address are interpreted functions: each is named by the address
     *     (word at fp-32, untagged: less 1) + (word at fp-40) >> 32
     * which lies in the BytecodeArray that `code` has told of. Told once for each address. */
    void (*trampoline)(void *ctx, uint64_t since, uint64_t addr);
    void *ctx;
};

#endif

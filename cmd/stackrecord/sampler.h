/* The loop of a recording: empties the kernel's ring buffers into a sink until the recording ends. */
#ifndef STACKRECORD_SAMPLER_H
#define STACKRECORD_SAMPLER_H

#include "cmd/stackrecord/counter.h"
#include "cmd/stackrecord/sink.h"

struct sampler {
    struct rawsink *sink;    /* borrowed */
    struct counters counters;
    struct session session;
    /* Counted as the records pass: */
    uint64_t samples, lost, throttled;
};

#endif

/* Where records go, in three steps, each of which has a table of functions:
 *
 *     sampler ─► rawsink: records as the kernel wrote them, one ring buffer after the other
 *                  ├─ dataout (-o FILE.data)
 *                  └─ timeline: sorts by time and decodes
 *                       └─► recordsink: decoded records in the order of their times
 *                             ├─ offcpu: passes on other records than it takes
 *                             └─ symbolized: finds names
 *                                  └─► samplesink: samples with frames
 *                                        ├─ textout
 *                                        └─ foldout (--folded)
 *
 * Each implementation begins with its table and casts. `round` is called about four times a second,
 * after every ring buffer was emptied once, and by each step after it passed on what the round
 * released: a sink that writes to a pipe flushes then. `finish` is called once, after the last
 * record; a step that holds records passes them on, then calls the next step's finish. */
#ifndef STACKRECORD_SINK_H
#define STACKRECORD_SINK_H

#include "common/base/mem.h"
#include "common/event/record.h"
#include "common/stack/source.h"

/* What is recorded. All is good until the sampler is closed. */
struct session {
    struct eventset events; /* with the ids of all counters */
    struct arena names;     /* of the events */
    struct span tracing; /* formats of tracepoints, for tracing_read(); empty if there are none */
};

struct rawsink {
    /* The bytes of one record; borrowed until it returns. */
    void (*record)(struct rawsink *s, struct span bytes);
    void (*round)(struct rawsink *s);
    void (*finish)(struct rawsink *s);
};

struct recordsink {
    void (*record)(struct recordsink *s, const struct record *r);
    void (*round)(struct recordsink *s);
    void (*finish)(struct recordsink *s);
};

struct samplesink {
    /* The sample is source->sample, its frames are those of source->frames. */
    void (*sample)(struct samplesink *s, const struct source *source);
    void (*round)(struct samplesink *s);
    void (*finish)(struct samplesink *s);
    /* The frames are about to be forgotten, since there are very many: numbers of frames will mean
     * others. NULL: they have to stay. */
    void (*forget_frames)(struct samplesink *s);
};

#endif

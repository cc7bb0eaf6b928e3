/* Where records go, in two steps, each of which has a table of functions:
 *
 *     sampler ─► rawsink: records as the kernel wrote them, one ring buffer after the other
 *                  ├─ mapkeeper: adds the lines of perf maps to what is written by
 *                  ├─ dataout: writes perf.data (-o FILE)
 *                  └─ timeline: sorts by time and decodes
 *                       └─► recordsink: decoded records in the order of their times
 *                             ├─ taskfilter: drops the samples of other processes, passes the rest
 *                             ├─ offcpu: turns switches into samples, and passes them on
 *                             ├─ wall: the same of what runs and what waits
 *                             ├─ textout: finds names and prints text or folded stacks
 *                             └─ dataout, behind taskfilter
 *
 * Each implementation begins with its table and casts. `round` is called about four times a second,
 * after every ring buffer was emptied once, and by each step after it passed on what the round
 * released: a sink that writes to a pipe flushes then. `finish` is called once, after the last
 * record; a step that holds records passes them on, then calls the next step's finish. */
#ifndef STACKRECORD_SINK_H
#define STACKRECORD_SINK_H

#include "common/base/mem.h"
#include "common/event/record.h"
#include "common/stack/model/source.h"

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

#endif

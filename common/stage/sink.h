/* How a stage gets records and passes them on: a table of functions, with which each stage begins.
 * It casts the table's address to its own. A stage is pure: what comes out depends on the records
 * that went in and on nothing else; it reads no clock and asks no system.
 *
 *     rawsink: records as they were written, one ring buffer after the other
 *       └─ timeline: sorts by time and decodes
 *            └─► recordsink: decoded records in the order of their times
 *                  ├─ taskfilter: drops the samples of other processes, passes the rest
 *                  ├─ unwinding: gives samples whole callchains in place of copies of stacks
 *                  ├─ derived: offcpu, wall or syscalls makes samples of records, and passes them on
 *                  └─ queue: holds them until they are asked for
 *
 * A new stage is a file here, and a line in cmd/stackrecord/plan.c and
 * cmd/perf-script/datasource.c, which join the stages; if it makes samples of other records, a line
 * in derived.c.
 *
 * `round` ends a round of records. A running recording calls it about four times a second, after
 * emptying every ring buffer once. Each stage calls the next stage's `round` after passing on what
 * the round released, so that a sink that writes to a pipe can flush. `finish` is called once,
 * after the last record: a stage that holds records passes them on, then calls the next stage's. */
#ifndef STAGE_SINK_H
#define STAGE_SINK_H

#include "common/base/mem.h"
#include "common/event/record.h"

/* What is recorded; valid until the sampler is closed. */
struct session {
    struct eventset events; /* with the ids of all counters */
    struct arena names;     /* names of the events */
    struct span tracing; /* formats of tracepoints, for tracing_read(); empty if there are none */
    struct span machine; /* its architecture, as uname -m prints it; empty: unknown */
};

struct rawsink {
    /* Take the bytes of one record, which are borrowed for the call. */
    void (*record)(struct rawsink *s, struct span bytes);
    void (*round)(struct rawsink *s);
    void (*finish)(struct rawsink *s);
};

struct recordsink {
    void (*record)(struct recordsink *s, const struct record *r);
    void (*round)(struct recordsink *s);  /* NULL: nothing to do, call the next stage's */
    void (*finish)(struct recordsink *s); /* as `round` */
    struct recordsink *next;              /* borrowed; NULL for the last stage */
};

static inline void
sink_round(struct recordsink *s)
{
    while (s != NULL && s->round == NULL)
        s = s->next;
    if (s != NULL)
        s->round(s);
}

static inline void
sink_finish(struct recordsink *s)
{
    while (s != NULL && s->finish == NULL)
        s = s->next;
    if (s != NULL)
        s->finish(s);
}

#endif

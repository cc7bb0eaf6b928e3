/* How a stage gets records and passes them on. A sink is a table of functions. It is the first
 * member of each stage's struct, so these functions can cast the address of the sink to that of the
 * stage. A stage is pure: what it passes on depends only on the records that it gets. It reads no
 * clock, and does not ask the operating system for anything.
 *
 *     rawsink: records as they were written, one ring buffer after the other
 *       └─ timeline: sorts by time and decodes
 *            └─► recordsink: decoded records in the order of their times
 *                  ├─ taskfilter: drops the samples of other processes, passes the rest
 *                  ├─ unwinding: gives samples whole callchains in place of copies of stacks
 *                  ├─ derived: makes samples from records of switches or of system calls
 *                  │           (offcpu, wall or syscalls)
 *                  └─ queue: holds records until queue_next() removes them
 *
 * The recordsinks are links of one chain, in this order; each of them can be missing.
 *
 * For a new stage, add a file to this folder and a line to the diagram above. If the stage makes
 * samples from other records, add it to derived.c. Otherwise, join it with the others in
 * cmd/stackrecord/plan.c (diagram in plan.h; with -o alone, records may reach the file without
 * being decoded) and in cmd/perf-script/datasource.c, where records pass these stages only if
 * is_derived() says so. A stage that drops samples counts them, and explain() in
 * cmd/stackrecord/main.c and datasource_explain() print the count. Samples that are read as text
 * pass no stage: read_file() in cmd/perf-script/main.c refuses an option that needs one.
 *
 * `round` ends a round of records. A running recording calls it about four times a second, after
 * emptying every ring buffer once. Each stage calls the next stage's `round` after passing on what
 * the round released, so that a sink that writes to a pipe can flush. `finish` is called once,
 * after the last record: a stage that holds records passes them on, then calls the next stage's. */
#ifndef STAGE_SINK_H
#define STAGE_SINK_H

#include "common/base/mem.h"
#include "common/event/record.h"

/* What a recording contains, as far as it is known at its beginning. That of a running recorder is
 * valid until its counters are closed. */
struct session {
    struct eventset events; /* with the ids of all counters */
    struct arena names;     /* names of the events */
    struct span tracing; /* formats of tracepoints, for tracing_read(); empty if there are none */
    struct span machine; /* the machine's architecture, as uname -m prints it; empty: unknown */
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
    void (*finish)(struct recordsink *s); /* NULL: nothing to do, call the next stage's */
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

/* Makes counters of the events and the target: sets the events' attributes, adapts them to what
 * this kernel can do and permits, and opens the counters. */
#ifndef STACKRECORD_ATTACH_H
#define STACKRECORD_ATTACH_H

#include "cmd/stackrecord/capture/command.h"
#include "cmd/stackrecord/capture/counter.h"
#include "cmd/stackrecord/capture/target.h"
#include "common/base/diag.h"

/* How the callers of what runs are found. */
enum call_graph {
    CALL_GRAPH_AUTO,  /* by frame pointers in the kernel, and by unwinding a copy of the stack */
    CALL_GRAPH_FP,    /* by frame pointers alone */
    CALL_GRAPH_DWARF, /* in user mode by unwinding alone */
    CALL_GRAPH_NONE,  /* they are not */
};

/* Bytes of each stack that are copied, where the ring buffers have room for that; ATTACH_STACK_SWITCH
 * at switches: above node's event loop lie 17 KB. With fewer than ATTACH_STACK_FEW, stacks of many
 * programs are cut. A record has 64 KB at most. */
enum {
    ATTACH_STACK = 32 << 10,
    ATTACH_STACK_SWITCH = 20 << 10,
    ATTACH_STACK_FEW = 8 << 10,
    ATTACH_STACK_LEAST = 512,
    ATTACH_STACK_MOST = 63 << 10
};

struct attach_options {
    uint64_t frequency; /* samples a second; 0: not given */
    uint64_t period;    /* of each event, in its units; 0: not given */
    bool user, kernel;  /* only what runs in this mode */
    uint16_t max_depth; /* frames of a stack; 0: as many as the kernel permits */
    enum call_graph call_graph;
    uint32_t stack; /* bytes of each stack to copy; 0: ATTACH_STACK */
    bool switches;  /* records say when a thread begins and ceases to run, for off-CPU time */
    /* The tracepoints say when turns of event loops begin and end; they come after all other events. */
    bool boundaries;
};

enum { ATTACH_FREQUENCY = 99 };

/* Return true for an event that happens wherever a CPU is busy: cycles, or a clock. */
bool attach_counts_time(const struct event *e);

/* Set the attributes of the session's events, which have a name, type and config. The target was
 * found, and its command waits. With o->boundaries, tracepoints that the kernel refuses are removed
 * from the session, with a message. Return false, after a message, where one of them cannot be
 * recorded. */
bool attach_events(struct session *s, const struct target *t, const struct command *command,
                   const struct attach_options *o, struct diag *diag);

/* Return true if samples of these events have registers and a copy of the stack, to be unwound. */
bool attach_copies_stacks(const struct eventset *events);

/* Open the counters, whose ids are added to the session. Those of single threads start at once; those
 * of a command when it is executed; all others are to be started. Where the ring buffers may not be
 * as large, they get smaller; so do the copies of stacks, with a message, where few would fit. Where
 * there are too many threads for the limit of open files, or more than fifty for each CPU, all
 * processes are recorded if the kernel permits it, and *filtered is set: the samples of others are to
 * be dropped. Return false, after a message, where the kernel refuses. */
bool attach_target(struct counters *c, struct session *s, const struct target *t,
                   const struct command *command, const struct attach_options *o, bool *filtered,
                   struct diag *diag);

#endif

/* Opens counters for the events and the target: sets the events' attributes, adapts them to what
 * this kernel supports and permits, and opens the counters. */
#ifndef STACKRECORD_ATTACH_H
#define STACKRECORD_ATTACH_H

#include "cmd/stackrecord/capture/counter.h"
#include "common/base/diag.h"
#include "common/machine/command.h"
#include "common/machine/target.h"

/* How the callers of the sampled code are found. */
enum call_graph {
    CALL_GRAPH_AUTO, /* frame pointers in the kernel; in user mode, unwinding a copy of the stack */
    CALL_GRAPH_FP,   /* frame pointers only */
    CALL_GRAPH_DWARF, /* in user mode, unwinding only */
    CALL_GRAPH_NONE,  /* no callers */
};

/* Bytes of each stack that are copied, if the ring buffers have room for them; ATTACH_STACK_SWITCH
 * at context switches: node's stack above its event loop has 17 KB. With less than
 * ATTACH_STACK_FEW, stacks of many programs are cut. A record has at most 64 KB. */
enum {
    ATTACH_STACK = 32 << 10,
    ATTACH_STACK_SWITCH = 20 << 10,
    ATTACH_STACK_FEW = 8 << 10,
    ATTACH_STACK_LEAST = 512,
    ATTACH_STACK_MAX = 63 << 10
};

struct attach_options {
    uint64_t frequency; /* samples per second; 0: not given */
    uint64_t period;    /* of each event, in its units; 0: not given */
    bool user, kernel;  /* only code that runs in this mode */
    uint16_t max_depth; /* frames of a stack; 0: as many as the kernel permits */
    enum call_graph call_graph;
    uint32_t stack; /* bytes of each stack to copy; 0: ATTACH_STACK */
    bool switches;  /* records report when a thread starts and stops running, for off-CPU time */
    /* The tracepoints that mark the turns of event loops are recorded; they come after all other
     * events. */
    bool boundaries;
    bool syscalls; /* the events are the entries and returns of system calls */
};

enum { ATTACH_FREQUENCY = 99 };

/* Return true for an event that occurs whenever a CPU is busy: cycles, or a clock. */
bool attach_counts_time(const struct event *e);

/* Set the attributes of the session's events, which have a name, type and config. The target was
 * found, and its command waits. With o->boundaries, remove tracepoints that the kernel refuses from
 * the session, with a message. Return false, after a message, if another event cannot be
 * recorded. */
bool attach_events(struct session *s, const struct target *t, const struct command *command,
                   const struct attach_options *o, struct diag *diag);

/* Return true if samples of these events have registers and a copy of the stack, to be unwound. */
bool attach_copies_stacks(const struct eventset *events);

/* Open the counters, and add their ids to the session. Those of single threads start at once, those
 * of a command when it is executed; all others must be started. If the kernel does not permit ring
 * buffers of that size, use smaller ones; if few copies of stacks would then fit, use smaller
 * copies, with a message. If there are too many threads for the limit of open files, or more than
 * fifty for each CPU, record all processes if the kernel permits it, and set *filtered: samples of
 * others must then be dropped. Return false, after a message, if the kernel refuses. */
bool attach_target(struct counters *c, struct session *s, const struct target *t,
                   const struct command *command, const struct attach_options *o, bool *filtered,
                   struct diag *diag);

#endif

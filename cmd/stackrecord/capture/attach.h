/* Opens counters for the events and the target: sets the attributes of the events, adapts the
 * attributes to what this kernel supports and permits, and opens the counters. */
#ifndef STACKRECORD_ATTACH_H
#define STACKRECORD_ATTACH_H

#include "cmd/stackrecord/capture/counter.h"
#include "common/base/diag.h"
#include "common/machine/command.h"
#include "common/machine/target.h"

/* How the callers of the sampled code in user mode are found. In kernel mode the kernel always
 * finds them itself, except with CALL_GRAPH_NONE. */
enum call_graph {
    CALL_GRAPH_AUTO,  /* samples have a copy of the stack, to unwind, and a callchain as with FP */
    CALL_GRAPH_FP,    /* the kernel follows frame pointers; no copy of the stack */
    CALL_GRAPH_DWARF, /* samples have a copy of the stack, to unwind, and no such callchain */
    CALL_GRAPH_NONE,  /* no callers */
};

/* Bytes of each stack that are copied, if the ring buffers have room for so many: ATTACH_STACK, or
 * at context switches ATTACH_STACK_SWITCH, since the callers of node's event loop take 17 KB of its
 * stack. With less than ATTACH_STACK_FEW, the stacks of many programs are cut. ATTACH_STACK_LEAST
 * are copied even into the smallest ring buffers. ATTACH_STACK_MAX is the limit of what can be
 * asked for: a record has at most 64 KB. */
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
    bool user, kernel;  /* sample only code in user mode; only code in kernel mode */
    uint16_t max_depth; /* frames of a stack; 0: as many as the kernel permits */
    enum call_graph call_graph;
    uint32_t stack; /* bytes of each stack to copy; 0: ATTACH_STACK */
    bool switches;  /* record when threads start and stop running, for off-CPU time */
    /* Record the tracepoints that mark the turns of event loops. They are the last events. */
    bool boundaries;
    bool syscalls; /* the events are the entries and returns of system calls */
};

enum { ATTACH_FREQUENCY = 99 };

/* Return true for an event that occurs whenever a CPU is busy: cycles, or a clock. */
bool attach_counts_time(const struct event *e);

/* Set the attributes of the session's events, whose names, types and configs are already set. Call
 * this after the target was found; its command, if it has one, must be waiting to be started. If
 * the kernel refuses a boundary (o->boundaries), remove it and those after it from the session,
 * with a message. If it refuses any other event, return false after a message. */
bool attach_events(struct session *s, const struct target *t, const struct command *command,
                   const struct attach_options *o, struct diag *diag);

/* Return true if samples of these events have registers and a copy of the stack, to be unwound. */
bool attach_copies_stacks(const struct eventset *events);

/* Open the counters, and add their ids to the session. The counters of processes and threads that
 * run already start at once, those of a command when it is executed; all others must be started. If
 * the kernel does not permit ring buffers of c->ring_size, use smaller ones; if few copies of
 * stacks would fit into these, use smaller copies, with a message. If processes have more threads
 * than the limit of open files allows, or more than fifty for each CPU, record all tasks of the
 * machine, if the kernel permits that, and set *filtered: the samples of other tasks must then be
 * dropped. Return false, after a message, if the kernel refuses the counters. */
bool attach_target(struct counters *c, struct session *s, const struct target *t,
                   const struct command *command, const struct attach_options *o, bool *filtered,
                   struct diag *diag);

#endif

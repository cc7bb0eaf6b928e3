/* The events to record, from the lists of the option -e: "cycles:u,sched:sched_switch". */
#ifndef STACKRECORD_EVENTS_H
#define STACKRECORD_EVENTS_H

#include "cmd/stackrecord/capture/tracefs.h"
#include "cmd/stackrecord/capture/uprobe.h"
#include "common/base/out.h"
#include "common/base/text.h"
#include "common/event/attr.h"

/* {0} is an empty list. */
struct events {
    /* In the order of the list. Set are: name, type, config, config1, config2, and the flags
     * FLAG_EXCLUDE_* and FLAG_PRECISE_IP; `period` is 1 for a tracepoint or uprobe, every
     * occurrence of which is a sample unless -F or -c were given, and else 0. Names borrow the
     * arena. */
    struct event *events;
    size_t count;
    /* The formats of the tracepoints and uprobes as perf.data's feature 1 (HEADER_TRACING_DATA)
     * holds them, for tracing_read(); empty if there is none. Set by events_prepare(). */
    struct text tracing;

    /* The message of events_parse() is not about the list: a permission is missing, or tracefs. */
    bool refused;

    /* private */
    size_t cap, tracepoints_cap;
    struct span *tracepoints; /* of each event: "sched:sched_switch"; else empty */
    struct tracefs tracefs;
    struct uprobes uprobes;
    struct arena arena;
};

/* Add the events of a list, separated by commas. Event names are those of perf list; besides, an
 * item can be a raw hardware event (r1a8), the events of a counting device (msr/tsc/,
 * cpu/event=0x3c,umask=0/), a pattern of tracepoints (sched:sched_process_*), or a function of an
 * ELF file (/usr/bin/node:uv_run, libc.so.6:malloc). Modifiers follow a colon: u, k, h, p. Change
 * nothing in the kernel. Return NULL, or a message that names the item, says what is wrong with it
 * and which names are near; it is good until events_free(). */
const char *events_parse(struct events *e, struct span list);

/* Remove uprobes of recorders that were killed, create those of the list, set the config of
 * tracepoints and uprobes, and fill in `tracing`. To be called once, after the last events_parse()
 * and before any counter is opened, also where the list has neither. Return NULL, or a message as
 * above. */
const char *events_prepare(struct events *e);

/* Remove the uprobes. The counters must be closed and their ring buffers unmapped, since the kernel
 * keeps uprobes that are in use. Where it is not called, because the process was killed, a child
 * that events_prepare() started does the same as soon as we are gone: so do not wait for any child,
 * with wait() or waitpid(-1). Return NULL, or which uprobe could not be removed. */
const char *events_remove_uprobes(struct events *e);

void events_free(struct events *e);

/* Print the events that can be recorded on this machine, one on a line: its name and its kind.
 * Return NULL, or why tracepoints could not be listed and what to do, which the caller frees. */
char *events_print(struct out *out);

#endif

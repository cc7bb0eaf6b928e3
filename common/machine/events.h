/* The events to record, from lists of the option -e: "cycles:u,sched:sched_switch". */
#ifndef MACHINE_EVENTS_H
#define MACHINE_EVENTS_H

#include "common/base/out.h"
#include "common/base/text.h"
#include "common/event/attr.h"
#include "common/machine/tracefs.h"
#include "common/machine/uprobe.h"

/* {0} is empty. */
struct events {
    /* In the order of the list. Parsing sets name, type, config, config1, config2, and the flags
     * FLAG_EXCLUDE_* and FLAG_PRECISE_IP. It sets `period` to 1 for a tracepoint or uprobe (without
     * -F and -c each occurrence is a sample), to 0 for other events. Names are in the arena. */
    struct event *events;
    size_t count;
    bool groups;     /* set by the caller: lists may have groups in braces */
    size_t *leaders; /* of each event: the first one of its group; itself, if it is in none */
    /* The formats of the tracepoints and uprobes, as in perf.data's feature 1
     * (HEADER_TRACING_DATA), for tracing_read(); empty if there are none. Set by
     * events_prepare(). */
    struct text tracing;

    /* The caller may set it before events_prepare(): a prefix of tracepoints, such as
     * "syscalls:sys_enter_", whose formats are also put into `tracing`. Empty: none. */
    struct span formats;

    /* Messages about calls and values that are not sampled, although they were asked for. */
    const char **notes;
    size_t nnotes;

    /* The message of events_parse() is about a missing permission or tracefs, not about the
     * list. */
    bool refused;

    /* private */
    size_t cap, leaders_cap, tracepoints_cap, fields_cap, notes_cap;
    /* For each event: "sched:sched_switch"; empty if it is not a tracepoint. */
    struct span *tracepoints;
    struct span *fields; /* of each event that is a probe: its arguments, "len:s32 name:string" */
    struct tracefs tracefs;
    struct uprobes uprobes;
    struct arena arena;
};

/* Add the events of a list, separated by commas. Event names are those of perf list. An item can
 * also be a raw hardware event (r1a8), the events of a counting device (msr/tsc/,
 * cpu/event=0x3c,umask=0/), a pattern of tracepoints (sched:sched_process_*), or a function of an
 * ELF file (/usr/bin/node:uv_run, libc.so.6:malloc). Modifiers follow a colon: u, k, h, p. Events
 * in braces are counted as a group, "{cycles,instructions}:u", where `groups` permits it. Change
 * nothing in the kernel. Return NULL, or a message with the item, what is wrong with it, and
 * similar names; it is valid until events_free(). */
const char *events_parse(struct events *e, struct span list);

/* Set the filter, which is borrowed, of the events from `first` on. A probe at several places may
 * lack a field at some of them: there, it is never true if it names that field. */
void events_set_filter(struct events *e, size_t first, const char *filter);

/* Remove uprobes of recorders that were killed, create those of the list, set the config of
 * tracepoints and uprobes, and set `tracing`. Call this once, after the last events_parse() and
 * before any counter is opened, even if the list has neither. Return NULL, or a message as
 * above. */
const char *events_prepare(struct events *e);

/* Remove the uprobes. First close the counters and unmap their ring buffers, since the kernel keeps
 * uprobes that are in use. If this is not called because the process was killed, a child that
 * events_prepare() started does it as soon as this process has ended; so do not wait for any child
 * with wait() or waitpid(-1). Return NULL, or which uprobe could not be removed. */
const char *events_remove_uprobes(struct events *e);

void events_free(struct events *e);

/* Print the events that can be recorded on this machine, one on a line: its name and its kind.
 * Return NULL, or why tracepoints could not be listed and what to do, which the caller frees. */
char *events_print(struct out *out);

#endif

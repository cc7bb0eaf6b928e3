/* The kernel's tracepoints, in the file system tracefs. See Documentation/trace/events.rst in the
 * Linux source. */
#ifndef MACHINE_TRACEFS_H
#define MACHINE_TRACEFS_H

#include <stdint.h>

#include "common/base/text.h"

/* {0} is closed. */
struct tracefs {
    const char *path; /* such as "/sys/kernel/tracing" */

    /* private */
    struct text names; /* contents of available_events: a line "system:name" for each tracepoint */
    struct arena arena;
};

/* Find tracefs in the list of mounts in a file (/proc/self/mounts). Return NULL, or what to do if
 * it is not mounted. Do nothing if it is already open. Messages, here and below, are valid until
 * tracefs_free(). */
const char *tracefs_open(struct tracefs *t, const char *mounts);

/* Read the names of all tracepoints, unless they were already read. Return NULL, or why they cannot
 * be read and what to do. */
const char *tracefs_names(struct tracefs *t);

/* Set *name to the next name, such as "sched:sched_switch"; *at is 0 before the first call. Return
 * false after the last. */
bool tracefs_next(const struct tracefs *t, size_t *at, struct span *name);

/* Set *id to the number of the tracepoint "system:name", which is the config of its event. Return
 * NULL, or what is wrong. */
const char *tracefs_id(struct tracefs *t, struct span name, uint64_t *id);

/* Write the tracing data of a perf.data file into *out: the formats of the tracepoints with these
 * names, all different, and the other parts that tracing_read() expects. Return NULL, or what is
 * wrong. */
const char *tracefs_tracing(struct tracefs *t, const struct span *names, size_t count,
                            struct text *out);

void tracefs_free(struct tracefs *t);

#endif

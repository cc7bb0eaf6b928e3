/* The kernel's tracepoints, as the file system tracefs shows them. See
 * Documentation/trace/events.rst in the Linux source. */
#ifndef STACKRECORD_TRACEFS_H
#define STACKRECORD_TRACEFS_H

#include <stdint.h>

#include "common/base/text.h"

/* {0} is not open. */
struct tracefs {
    const char *path; /* "/sys/kernel/tracing" */

    /* private */
    struct text names; /* the file available_events: a line "system:name" for each tracepoint */
    struct arena arena;
};

/* Find tracefs among the mounts that the file names (/proc/self/mounts). Return NULL, or what to do
 * where it is not mounted. Do nothing if it is open. Messages, here and below, are good until
 * tracefs_free(). */
const char *tracefs_open(struct tracefs *t, const char *mounts);

/* Read the names of all tracepoints, if they are not read yet. Return NULL, or why they cannot be
 * read and what to do. */
const char *tracefs_names(struct tracefs *t);

/* The next name, "sched:sched_switch"; *at is 0 before the first call. False after the last. */
bool tracefs_next(const struct tracefs *t, size_t *at, struct span *name);

/* Read the number of the tracepoint "system:name", which is the config of its event. Return NULL,
 * or what is wrong. */
const char *tracefs_id(struct tracefs *t, struct span name, uint64_t *id);

/* Write the tracing data of a perf.data file into *out: the formats of the tracepoints of these
 * names, all different, and what else tracing_read() wants. Return NULL, or what is wrong. */
const char *tracefs_tracing(struct tracefs *t, const struct span *names, size_t count,
                            struct text *out);

void tracefs_free(struct tracefs *t);

#endif

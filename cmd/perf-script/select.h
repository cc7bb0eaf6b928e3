/* Which samples are wanted. */
#ifndef PERF_SCRIPT_SELECT_H
#define PERF_SCRIPT_SELECT_H

#include "cmd/perf-script/window.h"
#include "common/base/intern.h"
#include "common/stack/sample.h"

enum field { FIELD_PID, FIELD_TID, FIELD_COMM, FIELD_CPU, FIELD_EVENT, FIELD_TIME, FIELDS };

/* Where --range counts from. */
enum origin { ORIGIN_FIRST, ORIGIN_FLOOR, ORIGIN_RAW };

/* {0} selects everything. */
struct selection {
    struct intern sets[FIELD_TIME]; /* the values that are wanted; none: all */
    struct window time;
    struct window range; /* in time since the origin */
    enum origin origin;

    bool started;
    uint64_t start;           /* the first sample's time, or its full second */
    uint64_t seen;            /* samples */
    uint64_t lacking[FIELDS]; /* samples not taken since they do not print the field */
    uint64_t lone_tids;       /* samples whose thread id was taken for the process's */
};

/* Adds a list's items, split at commas (in event names only at those outside of slashes:
 * "cpu/event=0x3c,umask=0/"). An empty item is left out. False where one is no number and the
 * field is. */
bool selection_add(struct selection *s, enum field field, struct span list);

/* True where the sample is wanted. To be asked once for each, in the order of the input. */
bool selection_takes(struct selection *s, const struct perf_header *h);

/* True where the record is wanted. It is judged by those fields that it prints, its event aside. */
bool selection_takes_record(const struct selection *s, const struct perf_header *h);

#endif

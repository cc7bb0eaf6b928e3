/* Which samples are wanted. */
#ifndef PERF_SCRIPT_SELECT_H
#define PERF_SCRIPT_SELECT_H

#include "cmd/perf-script/window.h"
#include "common/base/diag.h"
#include "common/stack/model/eventlist.h"
#include "common/stack/model/sample.h"

enum field { FIELD_PID, FIELD_TID, FIELD_COMM, FIELD_CPU, FIELD_EVENT, FIELD_TIME, FIELDS };

/* Where --range counts from. */
enum origin { ORIGIN_FIRST, ORIGIN_FLOOR, ORIGIN_RAW };

/* {0} selects everything. */
struct selection {
    struct intern wanted[FIELD_EVENT]; /* values of the first fields; none: all */
    struct eventlist events;
    struct window time;
    struct window range; /* in time since the origin */
    enum origin origin;

    bool started;
    uint64_t start;                 /* the first sample's time, or its full second */
    uint64_t seen;                  /* samples */
    uint64_t selected;              /* of them */
    uint64_t missing_field[FIELDS]; /* samples left out since they lack the field */
    uint64_t thread_only;           /* samples whose thread id was taken for the process's */

    /* For selection_explain, of the samples that have the field. */
    struct tally values[FIELD_EVENT];
    uint64_t matched[FIELDS];
    uint64_t first, last; /* ns */
};

enum list_error { LIST_OK, LIST_EMPTY, LIST_NO_NUMBER };

/* Add a list's items, separated by commas, to what is wanted of a field; events as in eventlist.h.
 * An empty item is left out. LIST_EMPTY if there is no other item, LIST_NO_NUMBER if one is not a
 * number and the field is. */
enum list_error selection_add(struct selection *s, enum field field, struct span list);

/* Return true if not all samples are wanted. */
bool selection_is_asked(const struct selection *s);

/* Return true if the sample is wanted. Call it once for each sample, in the order of the input. */
bool selection_takes(struct selection *s, const struct perf_header *h);

/* Return true if the record is wanted: the fields that it has are compared, but not its event.
 */
bool selection_takes_record(const struct selection *s, const struct perf_header *h);

/* Print which samples were left out since they lack a field, and how to get it, in text or, if the
 * input was a recording, by perf record; and if no sample was selected, print as an error why, and
 * what the input has. */
void selection_explain(const struct selection *s, struct diag *diag, bool recording);

#endif

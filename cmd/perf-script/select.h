/* Selects samples by their fields and times. */
#ifndef PERF_SCRIPT_SELECT_H
#define PERF_SCRIPT_SELECT_H

#include "cmd/perf-script/window.h"
#include "common/base/diag.h"
#include "common/stack/model/eventlist.h"
#include "common/stack/model/sample.h"

enum field { FIELD_PID, FIELD_TID, FIELD_COMM, FIELD_CPU, FIELD_EVENT, FIELD_TIME, FIELDS };

/* The origin of the times of --range. */
enum origin { ORIGIN_FIRST, ORIGIN_FLOOR, ORIGIN_RAW };

/* {0} selects everything. */
struct selection {
    struct intern wanted[FIELD_EVENT]; /* values of the first fields; none: all */
    struct eventlist events;
    struct window time;
    struct window range; /* in time since the origin */
    enum origin origin;

    bool started;
    uint64_t start;                 /* time of the first sample, or its full second */
    uint64_t seen;                  /* number of samples */
    uint64_t selected;              /* number of selected samples */
    uint64_t missing_field[FIELDS]; /* samples left out because they lack the field */
    uint64_t thread_only;           /* samples whose thread id was used as the process id */

    /* For selection_explain: only samples that have the field. */
    struct tally values[FIELD_EVENT];
    uint64_t matched[FIELDS];
    uint64_t first, last; /* ns */
};

enum list_error { LIST_OK, LIST_EMPTY, LIST_NO_NUMBER };

/* Add the items of a list, separated by commas, to the wanted values of a field; for events see
 * eventlist.h. Empty items are ignored. Return LIST_EMPTY if there is no other item, LIST_NO_NUMBER
 * if the field is a number and an item is not. */
enum list_error selection_add(struct selection *s, enum field field, struct span list);

/* Return true if not all samples are wanted. */
bool selection_is_asked(const struct selection *s);

/* Return true if the sample is wanted. Call this once for each sample, in the order of the input.
 */
bool selection_takes(struct selection *s, const struct perf_header *h);

/* Return true if the record is wanted: the fields that it has are compared, but not its event.
 */
bool selection_takes_record(const struct selection *s, const struct perf_header *h);

/* Print how many samples were left out because they lack a field, and how to get that field, in
 * text or, if the input was a recording, by perf record. If no sample was selected, print an error
 * with the reason and the values that the input has. */
void selection_explain(const struct selection *s, struct diag *diag, bool recording);

#endif

/* -F: the fields of samples to print. */
#ifndef PERF_SCRIPT_FIELDS_H
#define PERF_SCRIPT_FIELDS_H

#include "common/stack/text/perfwrite.h"

struct fields {
    unsigned header; /* 1 << enum perf_field */
    unsigned frame;  /* PERFWRITE_ bits */
    /* Named explicitly. For perf.data they are then printed for tracepoints too, the address even
     * without a callchain. */
    bool trace_period, trace_ip;
};

/* Return the fields that perf script prints without -F: for perf.data without process and source
 * line. */
struct fields fields_default(void);

/* Return all fields of perf script text. */
struct fields fields_all(void);

/* Set *f from "comm,tid,ip,sym", or change it by "+pid,-period". Return NULL, or what is wrong with
 * the list: "'x' is not a field". */
const char *fields_parse(struct span list, struct fields *f);

/* Set the fields that the writer leaves out. */
void fields_apply(struct fields f, struct perfwrite *w);

#endif

/* Which fields of samples are printed: -F. */
#ifndef PERF_SCRIPT_FIELDS_H
#define PERF_SCRIPT_FIELDS_H

#include "common/stack/text/perfwrite.h"

struct fields {
    unsigned header; /* 1 << enum perf_field */
    unsigned frame;  /* PERFWRITE_ bits */
    /* Asked for by name: of perf.data, then printed of tracepoints too, the address even without a
     * callchain. */
    bool trace_period, trace_ip;
};

/* Return what perf script prints without -F: of perf.data neither the process nor the source line.
 */
struct fields fields_default(void);

/* Everything that perf script text has. */
struct fields fields_all(void);

/* Read "comm,tid,ip,sym", or, as a change of *f, "+pid,-period". Return NULL, or what is wrong with
 * the list: "'x' is not a field". */
const char *fields_parse(struct span list, struct fields *f);

/* Set what the writer leaves out. */
void fields_apply(struct fields f, struct perfwrite *w);

#endif

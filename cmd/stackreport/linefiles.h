/* Reads samples with source lines or offsets into a linecount: perf script text and, for lines,
 * .cpuprofile files of V8. */
#ifndef STACKREPORT_LINEFILES_H
#define STACKREPORT_LINEFILES_H

#include "cmd/stackreport/linecount.h"
#include "common/stack/model/eventchoice.h"
#include "common/stack/model/measure.h"
#include "common/stack/text/input.h"
#include "common/stack/text/lookslike.h"
#include "common/stack/text/perftext.h"

struct linefiles {
    struct input input;     /* to be started by the caller, and freed */
    struct linecount count; /* the caller sets the options in it */
    enum weight weight;
    enum input_format from; /* set by the caller; folded stacks are not read */

    /* private from here */
    struct diag *diag;
    struct perftext perf;
    struct eventchoice events;
    uint64_t samples, no_period;
    bool profiles; /* a .cpuprofile was read */
};

/* Set up a reader, which is large: do not copy it. Borrow the diag and the list of events, which is
 * NULL for that of the first sample. */
void linefiles_init(struct linefiles *r, enum weight weight, struct eventlist *events,
                    struct diag *diag);

/* Read the file that is open in r->input. */
void linefiles_read(struct linefiles *r);

/* Print warnings about the input. If no frame has a place, print an error that says how to get
 * them. */
void linefiles_report(struct linefiles *r);

/* Free all but the input. */
void linefiles_free(struct linefiles *r);

#endif

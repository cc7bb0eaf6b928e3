/* Reads the stalls of perf script text, for --stalls. */
#ifndef STACKREPORT_STALLFILES_H
#define STACKREPORT_STALLFILES_H

#include "cmd/stackreport/stalls.h"
#include "common/stack/text/input.h"
#include "common/stack/text/lookslike.h"
#include "common/stack/text/perftext.h"

struct stallfiles {
    struct diag *diag;
    struct input input; /* to be started by the caller, and freed */
    struct stalls stalls;

    /* private from here */
    enum input_format from;
    struct perftext perf;
    uint64_t samples;
};

/* Set up a reader, which is large: do not copy it. Borrow all. */
void stallfiles_init(struct stallfiles *r, const struct stalls_options *options,
                     enum input_format from, struct diag *diag);

/* Read the file that is open in r->input. */
void stallfiles_read(struct stallfiles *r);

/* Print warnings about the input. If it has no samples of the events wall and turn, from which
 * stalls are found, print an error. */
void stallfiles_report(struct stallfiles *r);

/* Free all but the input. */
void stallfiles_free(struct stallfiles *r);

#endif

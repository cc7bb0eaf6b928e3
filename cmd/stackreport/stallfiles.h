/* Reads the stalls of perf script text, for --stalls. */
#ifndef STACKREPORT_STALLFILES_H
#define STACKREPORT_STALLFILES_H

#include "cmd/stackreport/stalls.h"
#include "common/stack/text/input.h"
#include "common/stack/text/lookslike.h"
#include "common/stack/text/perftext.h"

struct stallfiles {
    struct diag *diag;
    struct input input; /* the caller starts and frees it */
    struct stalls stalls;

    /* private from here */
    enum input_format from;
    struct perftext perf;
    uint64_t samples; /* number of all samples read */
};

/* Set up a reader, which is large: do not copy it. Borrow the options and the diag. */
void stallfiles_init(struct stallfiles *r, const struct stalls_options *options,
                     enum input_format from, struct diag *diag);

/* Read the file that is open in r->input. */
void stallfiles_read(struct stallfiles *r);

/* Print warnings about the input. Print an error if it has no samples of the events "wall" and
 * "turn", from which stalls are found. */
void stallfiles_report(struct stallfiles *r);

/* Free everything except the input. */
void stallfiles_free(struct stallfiles *r);

#endif

/* Reads the system calls of perf script text, for --syscalls. */
#ifndef STACKREPORT_CALLFILES_H
#define STACKREPORT_CALLFILES_H

#include "cmd/stackreport/calls.h"
#include "common/stack/text/input.h"
#include "common/stack/text/perftext.h"

struct callfiles {
    struct input input; /* to be started by the caller, and freed */
    struct calls calls;

    /* private from here */
    struct diag *diag;
    struct perftext perf;
    uint64_t samples;
};

/* Set up a reader, which is large: do not copy it. Borrow the diag. */
void callfiles_init(struct callfiles *r, struct diag *diag);

/* Read the file that is open in r->input. */
void callfiles_read(struct callfiles *r);

/* Print warnings about the input. If it has no samples of system calls, print an error. */
void callfiles_report(struct callfiles *r);

/* Free all but the input. */
void callfiles_free(struct callfiles *r);

#endif

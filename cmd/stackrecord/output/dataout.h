/* -o FILE.data: records as the kernel wrote them, in perf's file format. A write that fails ends
 * the program with a message and status 1; what was written until then can be read by perf-script.
 */
#ifndef STACKRECORD_DATAOUT_H
#define STACKRECORD_DATAOUT_H

#include <sys/utsname.h>

#include "common/stage/sink.h"
#include "common/base/diag.h"
#include "common/base/outfile.h"
#include "common/event/datawrite.h"

struct dataout {
    struct rawsink sink;
    struct recordsink decoded; /* takes decoded records, and writes the bytes they came from */

    /* Set by the caller, as decoded.next, which gets decoded records after they were written: */
    void (*before_exit)(void *ctx); /* called before a write that failed ends the program */
    void *ctx;

    /* private from here */
    const struct outfile *file;
    struct diag *diag;
    const struct datawrite_about *about;
    struct datawrite write;
    bool begun;
};

/* Prepare to write the file, which is open when the first record comes, and is emptied then. A pipe
 * gets the format for pipes. Borrow all; *about has to be complete before the first record. */
void dataout_init(struct dataout *d, const struct outfile *file,
                  const struct datawrite_about *about, struct diag *diag);

#endif

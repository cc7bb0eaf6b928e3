/* -o FILE.data: records as the kernel wrote them, in perf's file format. A write that fails ends
 * the program with a message and status 1; what was written until then can be read by perf-script.
 */
#ifndef STACKRECORD_DATAOUT_H
#define STACKRECORD_DATAOUT_H

#include <sys/utsname.h>

#include "cmd/stackrecord/output/sink.h"
#include "common/base/diag.h"
#include "common/event/datawrite.h"

struct dataout {
    struct rawsink sink;
    struct recordsink decoded; /* takes decoded records, and writes the bytes they came from */

    /* private from here */
    const char *name;
    struct diag *diag;
    const struct session *session;
    struct datawrite write;
    struct datawrite_about about;
    struct utsname machine;
    struct text arguments;
    int fd;
    bool created, begun;
};

/* Prepare to write the file of that name; "-" is standard output. That and a FIFO get the format
 * for pipes. Borrow what is recorded; its description is written before the first record. */
void dataout_init(struct dataout *d, const char *name, const struct session *session,
                  struct diag *diag);

/* Open the file, and keep its contents until the first record comes. Return false, after a message,
 * if it cannot be written, or is a terminal. */
bool dataout_open(struct dataout *d);

/* Remove the file if dataout_open created it: to be called when there will be no record. */
void dataout_drop(struct dataout *d);

#endif

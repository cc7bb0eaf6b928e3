/* -o FILE.data: records as the kernel wrote them, in perf's file format. A write that fails ends
 * the program with a message and status 1; what was written until then can be read by perf-script.
 */
#ifndef STACKRECORD_DATAOUT_H
#define STACKRECORD_DATAOUT_H

#include <sys/utsname.h>

#include "cmd/stackrecord/sink.h"
#include "common/base/diag.h"
#include "common/event/datawrite.h"

struct dataout {
    struct rawsink sink;
    struct rawsink *also; /* takes the same records; NULL: none does. For tests */

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

/* For the file of that name; "-" is standard output. That and a FIFO get the format for pipes.
 * Borrows what is recorded; what describes it is written before the first record. */
void dataout_init(struct dataout *d, const char *name, const struct session *session,
                  struct diag *diag);

/* Opens the file. What it holds stays until the first record comes. False, after a message, if it
 * cannot be written, or is a terminal. */
bool dataout_open(struct dataout *d);

/* For when there will be no record: removes the file if dataout_open created it. */
void dataout_drop(struct dataout *d);

#endif

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
    bool begun;
};

/* Creates the file, or if there is one, makes it empty. "-" is standard output. That and a FIFO get
 * the format for pipes. False, after a message, if it cannot be written, or is a terminal. */
bool dataout_open(struct dataout *d, const char *name, struct diag *diag);

/* Says what is recorded; borrows it. What describes it is written before the first record. */
void dataout_begin(struct dataout *d, const struct session *session);

#endif

/* -o FILE.data: records as the kernel wrote them, in perf's file format. A write that fails ends
 * the program with a message and status 1; what was written until then can be read by perf-script.
 */
#ifndef STACKRECORD_DATAOUT_H
#define STACKRECORD_DATAOUT_H

#include <sys/utsname.h>

#include "cmd/stackrecord/output/outfile.h"
#include "common/stage/sink.h"
#include "common/base/diag.h"
#include "common/event/datawrite.h"

struct dataout {
    struct rawsink sink;
    struct recordsink decoded; /* takes decoded records, and writes the bytes they came from */

    /* private from here */
    const struct outfile *file;
    struct diag *diag;
    const struct session *session;
    struct datawrite write;
    struct datawrite_about about;
    struct utsname machine;
    struct text arguments;
    bool begun;
};

/* Prepare to write the file, which is open when the first record comes, and is emptied then. A pipe
 * gets the format for pipes. Borrow what is recorded; its description comes before the first record.
 */
void dataout_init(struct dataout *d, const struct outfile *file, const struct session *session,
                  struct diag *diag);

#endif

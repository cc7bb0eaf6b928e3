/* What perf.data says of the machine and the recorder; `perf report --header` prints it. */
#ifndef STACKRECORD_MACHINE_H
#define STACKRECORD_MACHINE_H

#include <sys/utsname.h>

#include "common/event/datawrite.h"

struct machine {
    struct utsname names;
    struct text arguments; /* the recorder's own */
};

/* Set *m and *about to the data of this machine and of the running program. The members of *about
 * that depend on the recording, such as its events, are empty; the caller sets them. *about borrows
 * from *m. */
void machine_describe(struct machine *m, struct datawrite_about *about);

#endif

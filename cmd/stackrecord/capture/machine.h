/* What `perf report --header` prints of the machine and the recorder. */
#ifndef STACKRECORD_MACHINE_H
#define STACKRECORD_MACHINE_H

#include <sys/utsname.h>

#include "common/event/datawrite.h"

struct machine {
    struct utsname names;
    struct text arguments;
};

/* Set what of *about is the same for all recordings, and borrows from *m. */
void machine_describe(struct machine *m, struct datawrite_about *about);

#endif

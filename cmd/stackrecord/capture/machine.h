/* The data that `perf report --header` prints about the machine and the recorder. */
#ifndef STACKRECORD_MACHINE_H
#define STACKRECORD_MACHINE_H

#include <sys/utsname.h>

#include "common/event/datawrite.h"

struct machine {
    struct utsname names;
    struct text arguments;
};

/* Set those members of *about that are the same for all recordings. They borrow from *m. */
void machine_describe(struct machine *m, struct datawrite_about *about);

#endif

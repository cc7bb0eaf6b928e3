/* The parts of a list of events. */
#ifndef STACKRECORD_EVENTTEXT_H
#define STACKRECORD_EVENTTEXT_H

#include "common/event/attr.h"

/* One event of a list, in its parts. Those that it has not are empty. */
struct eventtext {
    struct span whole;         /* "cpu/event=0x3c,umask=0/u" */
    struct span device, terms; /* "cpu", "event=0x3c,umask=0" */
    struct span before, after; /* "sched" and "sched_switch", "/bin/sh" and "main" */
    struct span name;          /* "cycles" */
    struct span modifiers;     /* "u" */
};

/* Takes the next event from the list, with the comma after it. `devices` is the folder with the
 * devices that count events. False at the end of the list. */
bool eventtext_next(struct span *list, struct eventtext *t, const char *devices);

/* Sets the flags FLAG_EXCLUDE_* and FLAG_PRECISE_IP by modifiers, as perf does: u, k and h count in
 * user mode, in the kernel, and in the hypervisor, and nowhere else; each p asks for a more precise
 * instruction pointer. False if there is another letter. */
bool eventtext_flags(struct span modifiers, uint64_t *flags);

#endif

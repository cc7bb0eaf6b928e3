/* The texts of events: names of the kernel's own ("cycles", "cs", "L1-dcache-load-misses", "r1a8"),
 * and lists as the option -e takes them. */
#ifndef STACKRECORD_EVENTTEXT_H
#define STACKRECORD_EVENTTEXT_H

#include "common/event/attr.h"

/* Set type and config to those of the i-th event with a name, and append its name to *name.
 * Hardware events come first, then software events, then those of the hardware's caches. Return
 * false, with nothing changed, where there is none. */
bool eventtext_name_nth(size_t i, struct event *e, struct text *name);

/* Set the i-th alias and the name of the event it stands for. Return false where there is none. */
bool eventtext_name_alias(size_t i, struct span *alias, struct span *name);

/* Set type and config to those of the event of that name or alias, or of a raw hardware event, "r"
 * and a hexadecimal number. Return false, with nothing changed, if it is neither. */
bool eventtext_name_find(struct span name, struct event *e);

/* One event of a list, in its parts. Those that it has not are empty. */
struct eventtext {
    struct span whole;         /* "cpu/event=0x3c,umask=0/u" */
    struct span device, terms; /* "cpu", "event=0x3c,umask=0" */
    struct span before, after; /* "sched" and "sched_switch", "/bin/sh" and "main" */
    struct span name;          /* "cycles" */
    struct span modifiers;     /* "u" */
};

/* Take the next event from the list, with the comma after it. `devices` is the folder with the
 * devices that count events. Return false at the end of the list. */
bool eventtext_next(struct span *list, struct eventtext *t, const char *devices);

/* Set the flags FLAG_EXCLUDE_* and FLAG_PRECISE_IP by modifiers, as perf does: u, k and h count in
 * user mode, in the kernel, and in the hypervisor, and nowhere else; each p asks for a more precise
 * instruction pointer. Return false if there is another letter. */
bool eventtext_flags(struct span modifiers, uint64_t *flags);

#endif

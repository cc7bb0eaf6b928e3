/* The texts of events: names of the kernel's own events ("cycles", "cs", "L1-dcache-load-misses",
 * "r1a8"), and lists for the option -e. */
#ifndef MACHINE_EVENTTEXT_H
#define MACHINE_EVENTTEXT_H

#include "common/event/attr.h"

/* Set type and config to those of the i-th named event, and append its name to *name. Hardware
 * events come first, then software events, then cache events. Return false, and change nothing, if
 * there are no more. */
bool eventtext_name_nth(size_t i, struct event *e, struct text *name);

/* Set *alias to the i-th alias, and *name to the name of its event. Return false if there are no
 * more. */
bool eventtext_name_alias(size_t i, struct span *alias, struct span *name);

/* Set type and config of the event with this name or alias, or of a raw hardware event: "r" and a
 * hexadecimal number. Return false, and change nothing, if it is neither. */
bool eventtext_name_find(struct span name, struct event *e);

/* An event of a list, split into its parts. Missing parts are empty. */
struct eventtext {
    struct span whole;         /* "cpu/event=0x3c,umask=0/u" */
    struct span device, terms; /* "cpu", "event=0x3c,umask=0" */
    struct span before, after; /* around ':': "sched" and "sched_switch", "/bin/sh" and "main" */
    struct span name;          /* "cycles" */
    struct span modifiers;     /* "u" */
};

/* Remove the next event from the list, with the comma after it, and split it. `devices` is the
 * folder of the devices that count events. Return false at the end of the list. */
bool eventtext_next(struct span *list, struct eventtext *t, const char *devices);

/* A group of a list, "{cycles,instructions}:u". */
struct eventtext_group {
    struct span whole;
    struct span members;   /* "cycles,instructions" */
    struct span modifiers; /* "u"; they follow each member's own modifiers */
};

/* If the list starts with a group, remove it, with the comma after it. Return false if it does not.
 * If the closing brace is missing, or other text follows it, `members` is {NULL, 0}. */
bool eventtext_group(struct span *list, struct eventtext_group *group);

/* Set the flags FLAG_EXCLUDE_* and FLAG_PRECISE_IP from modifiers, as perf does: u, k and h count
 * in user mode, in the kernel, and in the hypervisor, and nowhere else; each p requests a more
 * precise instruction pointer. Return false for any other letter. */
bool eventtext_flags(struct span modifiers, uint64_t *flags);

#endif

/* The names of the kernel's own events: "cycles", "cs", "L1-dcache-load-misses", "r1a8". */
#ifndef STACKRECORD_EVENTNAME_H
#define STACKRECORD_EVENTNAME_H

#include "common/event/attr.h"

/* The i-th of the events with a name: sets type and config, and appends its name to *name. Hardware
 * events come first, then software events, then those of the hardware's caches. False, with nothing
 * changed, where there is none. */
bool eventname_nth(size_t i, struct event *e, struct text *name);

/* The i-th alias and the name of the event it stands for. False where there is none. */
bool eventname_alias(size_t i, struct span *alias, struct span *name);

/* Sets type and config of the event of that name or alias, or of a raw hardware event, "r" and a
 * hexadecimal number. False, with nothing changed, if it is neither. */
bool eventname_find(struct span name, struct event *e);

#endif

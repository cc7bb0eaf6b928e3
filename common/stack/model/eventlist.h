/* The events requested by --event options: "cycles:u,syscalls:*". */
#ifndef STACK_EVENTLIST_H
#define STACK_EVENTLIST_H

#include "common/base/tally.h"
#include "common/base/text.h"

/* {0} is empty. */
struct eventlist {
    bool all;               /* "all" or "*" was added: every event matches */
    struct intern patterns; /* as given, without "all" */
    /* Events for which eventlist_matches was called, with the number of calls. */
    struct tally events;
    bool *matches; /* indexed by the event's number in `events` */
    size_t cap;
};

/* Add a list's items, separated by commas; a comma between two slashes is part of the name
 * ("cpu/event=0x3c,umask=0/"), and empty items are ignored. An item is an event's whole name as
 * perf prints it, including modifiers ("cycles" is not "cycles:u"), or a pattern with *, ? and [].
 * Return false, and add nothing, if the list has no item. */
bool eventlist_add(struct eventlist *l, struct span list);

/* Return true if the event is requested. Call this once for each sample, since it counts them. An
 * empty list matches no event. */
bool eventlist_matches(struct eventlist *l, struct span event);

enum { EVENTLIST_TEXT = 256 + TALLY_TEXT };

/* Write the message for a list that matched nothing: "no sample of 'x'; the input has: cycles
 * (120), page-faults (3)". */
void eventlist_explain(const struct eventlist *l, char text[static EVENTLIST_TEXT]);

#endif

/* Which events are wanted, from the lists of an --event option: "cycles:u,syscalls:*". */
#ifndef STACK_EVENTLIST_H
#define STACK_EVENTLIST_H

#include "common/base/tally.h"
#include "common/base/text.h"

/* {0} is an empty list. */
struct eventlist {
    bool all;               /* "all" or "*" was added: every event matches */
    struct intern patterns; /* as given, "all" aside */
    struct tally events;    /* that eventlist_matches was called for, and how often */
    bool *matches;          /* by an event's number there */
    size_t cap;
};

/* Add a list's items, separated by commas; a comma between two slashes is part of the name
 * ("cpu/event=0x3c,umask=0/"), and an empty item is left out. An item is an event's whole name as
 * perf prints it, modifiers included ("cycles" is not "cycles:u"), or a pattern with *, ? and [].
 * False, with nothing added, if the list has no item. */
bool eventlist_add(struct eventlist *l, struct span list);

/* Return true if the event is wanted. Call it once for each sample, since it counts them. An empty
 * list matches no event. */
bool eventlist_matches(struct eventlist *l, struct span event);

enum { EVENTLIST_TEXT = 256 + TALLY_TEXT };

/* Write the message for when nothing matched: "no sample of 'x'; the input has: cycles (120),
 * page-faults (3)". */
void eventlist_explain(const struct eventlist *l, char text[static EVENTLIST_TEXT]);

#endif

/* The events of a recording, found by the kernel's ids of their counters. */
#ifndef EVENT_EVENTSET_H
#define EVENT_EVENTSET_H

#include "common/base/intern.h"
#include "common/event/attr.h"

/* {0} is empty. */
struct eventset {
    struct event *events; /* by number */
    size_t count;

    /* private from here */
    size_t cap, event_of_cap;
    struct intern ids;  /* as bytes */
    uint32_t *event_of; /* the event's number, by the id's number */
};

/* Add a copy of the event, with its number set and its name borrowed. An empty name is replaced by
 * that of event_name_of, in *names. Invalidates all pointers to events of the set. */
struct event *eventset_add(struct eventset *s, const struct event *e, struct arena *names);

/* Assign an id to the event, so that records with the id belong to it. An id that was assigned
 * before moves to this event. */
void eventset_add_id(struct eventset *s, uint64_t id, const struct event *e);

/* Return the ids of the event in ascending order, and set *n to their number. The caller frees
 * them. */
uint64_t *eventset_ids(const struct eventset *s, const struct event *e, size_t *n);

/* Rename an event; the name is borrowed. Ignore an empty name. */
void eventset_rename(struct event *e, struct span name);

/* Return the length of the longest name; perf pads the others to it. */
size_t eventset_width(const struct eventset *s);

/* Return the event with this id; NULL if there is none. */
struct event *eventset_find(const struct eventset *s, uint64_t id);

void eventset_free(struct eventset *s);

#endif

/* The events of one recording, found by the ids that the kernel gave to their counters. */
#ifndef EVENT_EVENTSET_H
#define EVENT_EVENTSET_H

#include "common/base/intern.h"
#include "common/event/attr.h"

/* {0} is an empty one. */
struct eventset {
    struct event *events; /* by number */
    size_t count;

    /* private from here */
    size_t cap, event_of_cap;
    struct intern ids;  /* as bytes */
    uint32_t *event_of; /* the event's number, by the id's */
};

/* Add a copy of the event, with its number set and its name borrowed. An empty name is replaced by
 * event_name_of's, in *names. The pointers to events that were given before become invalid. */
struct event *eventset_add(struct eventset *s, const struct event *e, struct arena *names);

/* Say that records with that id belong to the event. An id that was given before moves to it. */
void eventset_add_id(struct eventset *s, uint64_t id, const struct event *e);

/* Return the ids of the event in ascending order, for the caller to free(); *n says how many. */
uint64_t *eventset_ids(const struct eventset *s, const struct event *e, size_t *n);

/* Give an event another name, which is borrowed; an empty one is ignored. */
void eventset_rename(struct event *e, struct span name);

/* Return the length of the longest name, to which perf pads the others. */
size_t eventset_width(const struct eventset *s);

/* Return the event of that id; NULL if there is none. */
struct event *eventset_find(const struct eventset *s, uint64_t id);

void eventset_free(struct eventset *s);

#endif

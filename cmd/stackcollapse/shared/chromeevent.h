/* The events of a Chrome trace: reads them one after the other, and sorts them by thread and
 * time. */
#ifndef STACKCOLLAPSE_CHROMEEVENT_H
#define STACKCOLLAPSE_CHROMEEVENT_H

#include "cmd/stackcollapse/shared/sampletree.h"

/* The members of an event that are read. */
enum {
    CHROME_PHASE,
    CHROME_START,
    CHROME_DURATION,
    CHROME_NAME,
    CHROME_PID,
    CHROME_TID,
    CHROME_ID,
    CHROME_FRAME,
    CHROME_ARGS,
    CHROME_MEMBERS,
};

/* The bit of a member. */
#define CHROME_HAS(MEMBER) (1u << CHROME_##MEMBER)

/* {0} before the first one. The owner frees the texts. */
struct chromeevent {
    unsigned has;  /* the members that the event has */
    unsigned good; /* the members in `has` with a valid value */
    char phase;    /* its letter; 0 if there is none, or a longer text */
    double start, duration;
    int64_t pid, tid;
    struct text name, id;
    uint32_t frame; /* of a sample: the id of its stack in the tree */
};

/* Read the next element of the array that is open in j, an event or a sample. An element that is
 * not an object has no members. If it contains a part of a sampled profile, read that into t, which
 * the caller adds; t may be NULL. Return false at the end of the array and after an error. */
bool chromeevent_next(struct chromeevent *e, struct json *j, struct sampletree *t);

/* An event to fold. */
struct trace_event {
    double start, duration; /* microseconds */
    uint32_t name, thread;  /* numbers assigned by the caller */
    size_t order;           /* order among events of the same thread and start */
};

/* Sort by thread, then by start, then by order. */
void chromeevent_sort(struct trace_event *events, size_t n);

#endif

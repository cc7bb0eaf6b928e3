/* The events of a Chrome trace, one after the other. */
#ifndef STACKCOLLAPSE_CHROMEEVENT_H
#define STACKCOLLAPSE_CHROMEEVENT_H

#include "common/base/json.h"
#include "common/base/text.h"

/* The members that count. */
enum {
    CHROME_PHASE,
    CHROME_START,
    CHROME_DURATION,
    CHROME_NAME,
    CHROME_PID,
    CHROME_TID,
    CHROME_MEMBERS,
};

/* What an event has. A member whose value is of no use counts as wrong. */
enum {
    HAS_PHASE = 1 << CHROME_PHASE,
    HAS_START = 1 << CHROME_START,
    HAS_DURATION = 1 << CHROME_DURATION,
    HAS_NAME = 1 << CHROME_NAME,
    HAS_PID = 1 << CHROME_PID,
    HAS_TID = 1 << CHROME_TID,
};

/* What stands before the value of a member: `,"name":`, or with blanks `,\n  "name": `; for an
 * event's first member, from the end of the event before. It is mostly what it was the last time,
 * so one comparison reads it. */
struct chromekey {
    char text[16], mask[16]; /* mask: -1 for each byte of the text, else 0 */
    unsigned char len;       /* 0: not known, or too long */
    unsigned char lines;     /* line ends in it */
    unsigned char member;    /* CHROME_MEMBERS: one that does not count */
};

/* {0} before the first one; the owner frees copy.ptr. */
struct chromeevent {
    unsigned has, wrong;
    char phase; /* 0: none of one letter */
    double start, duration;
    int64_t pid, tid;
    struct span name;          /* valid until the next event is read */
    struct text copy;          /* of a name that is in the buffer no longer */
    struct chromekey keys[16]; /* for chromescan: of the event before, in their order */
};

/* Reads the next element of the array that is open in j; one that is no object is an event without
 * members. False at the array's end, and after an error. */
bool chromeevent_next(struct chromeevent *e, struct json *j);

/* For chromescan: sets a member to the value that is the item of j. */
void chromeevent_set(struct chromeevent *e, size_t member, const struct json *j);

#endif

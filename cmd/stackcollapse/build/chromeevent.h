/* The events of a Chrome trace, one after the other. */
#ifndef STACKCOLLAPSE_CHROMEEVENT_H
#define STACKCOLLAPSE_CHROMEEVENT_H

#include "cmd/stackcollapse/build/sampletree.h"

/* The members that count. */
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

/* What an event has. A member whose value is of no use counts as wrong. */
enum {
    HAS_PHASE = 1 << CHROME_PHASE,
    HAS_START = 1 << CHROME_START,
    HAS_DURATION = 1 << CHROME_DURATION,
    HAS_NAME = 1 << CHROME_NAME,
    HAS_PID = 1 << CHROME_PID,
    HAS_TID = 1 << CHROME_TID,
    HAS_ID = 1 << CHROME_ID,
    HAS_FRAME = 1 << CHROME_FRAME,
};

/* {0} before the first one; the owner frees name.ptr and id.ptr. */
struct chromeevent {
    unsigned has, wrong;
    char phase; /* 0: none of one letter */
    double start, duration;
    int64_t pid, tid;
    struct text name, id;
    uint32_t frame; /* of a sample: the id of its stack in the tree */
};

/* Reads the next element of the array that is open in j, an event or a sample; one that is no
 * object has no members. A part of a sampled profile in it is read into t, for the caller to add;
 * with t NULL it is skipped. False at the array's end, and after an error. */
bool chromeevent_next(struct chromeevent *e, struct json *j, struct sampletree *t);

#endif

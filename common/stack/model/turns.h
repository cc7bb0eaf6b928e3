/* Turns of an event loop that took long, as stackrecord --turns prints them: samples of the event
 * "wall", whose time is the turn's end, and then one of the event "turn" of the same thread and
 * time, without frames, whose period is the turn's microseconds. Their stacks get the turn as
 * their slice of time (slice.h), so they are held until it is known whether a turn follows. */
#ifndef STACK_TURNS_H
#define STACK_TURNS_H

#include "common/base/vec.h"
#include "common/stack/model/profile.h"
#include "common/stack/model/sample.h"

/* What the text of a sample of the event "turn" says: "ended", "going on, stopped 400123 us". */
struct turn_end {
    bool goes_on;     /* the recording ended before the turn did */
    uint64_t stopped; /* microseconds in which the process was stopped by a signal or a debugger */
};
struct turn_end turn_end_parse(struct span text);

/* {0} holds none. */
struct turns {
    /* private */
    uint64_t time;       /* of all that are held */
    VEC(uint32_t) names; /* their stacks, one after the other */
    VEC(struct turns_held) held;
};

/* Hold a stack of n names, the first of which is its slice, seen by a sample with this header.
 * First add what was held for another time to the profile. */
void turns_hold(struct turns *t, struct profile *p, const struct perf_header *h,
                const uint32_t *names, size_t n, struct decimal count);

/* Add what is held to the profile: with the turn of the sample with this header as its slice if it
 * is of that thread and time. NULL: there is none. */
void turns_add(struct turns *t, struct profile *p, const struct perf_header *turn);

/* Return how much memory it takes, in bytes. */
size_t turns_size(const struct turns *t);

void turns_free(struct turns *t);

#endif

/* Long turns of an event loop, as stackrecord --turns prints them: samples of the event "wall" with
 * the time of the turn's end, and then one of the event "turn" of the same thread and time, without
 * frames, whose period is the turn's length in microseconds. The stacks get the turn as their time
 * slice (slice.h), so they are held until it is known whether a turn follows. */
#ifndef STACK_TURNS_H
#define STACK_TURNS_H

#include "common/base/vec.h"
#include "common/stack/model/profile.h"
#include "common/stack/model/sample.h"

/* The text of a sample of the event "turn": "ended", "going on, stopped 400123 us". */
struct turn_end {
    bool goes_on; /* the recording ended before the turn */
    /* Microseconds during which the process was stopped by a signal or a debugger. */
    uint64_t stopped;
};
struct turn_end turn_end_parse(struct span text);

/* {0} is empty. */
struct turns {
    /* private */
    uint64_t time;       /* of all held stacks */
    VEC(uint32_t) names; /* the stacks, one after the other */
    VEC(struct turns_held) held;
};

/* Hold a stack of n names from a sample with this header; names[0] is the frame of its slice. First
 * add the held stacks of another time to the profile. */
void turns_hold(struct turns *t, struct profile *p, const struct perf_header *h,
                const uint32_t *names, size_t n, struct decimal count);

/* Add the held stacks to the profile. Their slice is the turn whose sample has this header, if it
 * is of their thread and time. NULL: no turn. */
void turns_add(struct turns *t, struct profile *p, const struct perf_header *turn);

/* Return the size in memory, in bytes. */
size_t turns_size(const struct turns *t);

void turns_free(struct turns *t);

#endif

/* The frames that were collected, and the jobs that find their functions. */
#ifndef V8_COLLECTED_H
#define V8_COLLECTED_H

#include "common/v8/job.h"

enum { COLLECTED_TRAMPOLINES = 16 /* node has one; two if it copies its builtins */ };

/* {.earliest = UINT64_MAX} has no frames. */
struct collected {
    VEC(struct seen) frames;
    VEC(struct job) jobs; /* made by collected_sort; each has a part of the frames */
    /* The earliest time of all frames, including those that were left out; UINT64_MAX: none. */
    uint64_t earliest;
    /* Numbers of frames that were left out because there was no room, and of frames that are not in
     * code of a JavaScript function. */
    uint64_t left, other;
    bool overflow; /* a frame was left out, which may have a name; the owner resets this */

    /* private */
    uint64_t trampolines[COLLECTED_TRAMPOLINES];
    unsigned ntrampolines;
    struct addresses nothing;    /* addresses in which no code was found */
    VEC(uint64_t) nothing_until; /* by number: when to look again */
};

/* Add a frame, unless it cannot be in a JavaScript function, or there is no room. */
void collected_add(struct collected *c, const struct v8frame *f);

/* Sort the frames into jobs. */
void collected_sort(struct collected *c, struct reported *t, uint64_t now);

/* Forget the frames and their jobs. Free their memory if it is large. */
void collected_empty(struct collected *c);

/* Forget the addresses in which no code was found. */
void collected_forget(struct collected *c);

/* Withdraw the name that the sink has for the address of the frame, if it has one: it is not
 * certain which function the frame is in. */
void collected_deny(const struct collected *c, struct reported *t, const struct seen *s);

/* Report the frame's return address to the sink as one of interpreted functions, once for each
 * address. The caller is certain that the function is interpreted. The address of a guessed frame
 * is not reported. */
void collected_trampoline(struct collected *c, struct reported *t, const struct v8frame *f);

/* Return true if frames with this return address are interpreted functions. */
bool collected_is_trampoline(const struct collected *c, uint64_t addr);

/* Note that no code was found at the address, so that none is searched there for 200 ms. */
void collected_nothing(struct collected *c, uint64_t addr, uint64_t now);

/* Return how much memory the frames and their jobs take, in bytes. */
size_t collected_frames_size(const struct collected *c);

/* Return how much memory all of it takes, in bytes. */
size_t collected_size(const struct collected *c);

void collected_free(struct collected *c);

#endif

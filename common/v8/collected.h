/* The collected frames, and the jobs that find their functions. */
#ifndef V8_COLLECTED_H
#define V8_COLLECTED_H

#include "common/v8/job.h"

enum { COLLECTED_TRAMPOLINES = 16 /* node has one; two if it copies its builtins */ };

/* {.earliest = UINT64_MAX} has no frames. */
struct collected {
    VEC(struct seen) frames;
    VEC(struct job) jobs; /* made by collected_sort; each has a part of the frames */
    /* Time of the earliest frame, including the dropped ones; UINT64_MAX: none. */
    uint64_t earliest;
    /* Number of frames that were dropped for want of room, and of frames that are not in code of a
     * JavaScript function. */
    uint64_t left, other;
    bool overflow; /* a frame that may have a name was dropped; the owner resets this */

    /* private */
    uint64_t trampolines[COLLECTED_TRAMPOLINES];
    unsigned ntrampolines;
    struct addresses nothing;    /* addresses at which no code was found */
    VEC(uint64_t) nothing_until; /* by number: time to search again */
};

/* Add a frame, unless it cannot be in a JavaScript function, or there is no room. */
void collected_add(struct collected *c, const struct v8frame *f);

/* Sort the frames into jobs. */
void collected_sort(struct collected *c, struct reported *t, uint64_t now);

/* Forget the frames and their jobs. Free their memory if it is large. */
void collected_empty(struct collected *c);

/* Forget the addresses at which no code was found. */
void collected_forget(struct collected *c);

/* Withdraw the sink's name for the frame's address, if it has one: the function of the frame is not
 * certain. */
void collected_deny(const struct collected *c, struct reported *t, const struct seen *s);

/* Report the frame's return address to the sink as an interpreter's, once for each address. The
 * caller is certain that the function is interpreted. Do nothing for a guessed frame. */
void collected_trampoline(struct collected *c, struct reported *t, const struct v8frame *f);

/* Return true if frames with this return address are interpreted functions. */
bool collected_is_trampoline(const struct collected *c, uint64_t addr);

/* Note that no code was found at the address, so that it is not searched for 200 ms. */
void collected_nothing(struct collected *c, uint64_t addr, uint64_t now);

/* Return the size of the frames and their jobs in memory, in bytes. */
size_t collected_frames_size(const struct collected *c);

/* Return the size of everything in memory, in bytes. */
size_t collected_size(const struct collected *c);

void collected_free(struct collected *c);

#endif

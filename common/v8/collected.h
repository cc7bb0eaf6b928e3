/* The frames that were collected, and which of them are work for the same job. */
#ifndef V8_COLLECTED_H
#define V8_COLLECTED_H

#include "common/v8/job.h"

enum { COLLECTED_TRAMPOLINES = 16 /* node has one, and one more where it copies its builtins */ };

/* {.earliest = UINT64_MAX} is an empty one. */
struct collected {
    VEC(struct seen) frames;
    VEC(struct job) jobs; /* made by collected_sort; each has a part of the frames */
    uint64_t earliest;    /* of all frames, also those that were left; UINT64_MAX: none */
    uint64_t left,
        other;     /* frames there was no room for; that are in no JavaScript function's code */
    bool overflow; /* frames were left that the sink may have names for; the owner resets it */

    /* private */
    uint64_t trampolines[COLLECTED_TRAMPOLINES];
    unsigned ntrampolines;
    struct addresses nothing;    /* addresses in which no code was found */
    VEC(uint64_t) nothing_until; /* by number: when to look again */
};

/* Add a frame, unless it cannot be in a JavaScript function. */
void collected_add(struct collected *c, const struct v8frame *f);

/* Make jobs of the frames. */
void collected_sort(struct collected *c, struct told *t, uint64_t now);

/* Forget the frames and their jobs, and free what memory they take, where that is much. */
void collected_empty(struct collected *c);

/* Forget where no code was found. */
void collected_forget(struct collected *c);

/* A frame is in no function for sure: if the sink has a name for its address, that is taken
 * back. */
void collected_deny(const struct collected *c, struct told *t, const struct seen *s);

/* The frame's return address is that of interpreted functions, beyond doubt: tell so once. */
void collected_trampoline(struct collected *c, struct told *t, const struct v8frame *f);

/* Return true if frames with this return address are interpreted functions. */
bool collected_is_trampoline(const struct collected *c, uint64_t addr);

/* No code was found at the address: do not look again at once. */
void collected_nothing(struct collected *c, uint64_t addr, uint64_t now);

/* Return how much memory the frames and their jobs take, in bytes; and how much all does. */
size_t collected_frames_size(const struct collected *c);
size_t collected_size(const struct collected *c);

void collected_free(struct collected *c);

#endif

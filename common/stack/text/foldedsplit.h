/* Splits the stacks of folded text into numbered names. Consecutive lines of a sorted file begin
 * alike: the frames that a line shares with the previous one cost one comparison. */
#ifndef STACK_FOLDEDSPLIT_H
#define STACK_FOLDEDSPLIT_H

#include "common/stack/text/foldedtext.h"
#include "common/stack/model/profile.h"

/* {0} is empty. */
struct foldedsplit {
    uint32_t *frames; /* of the last stack: numbers of the profile's names, root first */
    size_t nframes;

    /* private from here */
    struct folded_last last;
    size_t frames_cap;
    struct text masked;
};

/* Set s->frames to the stack's names; the profile must be the same in all calls. Return true if the
 * stack sorts after the previous one. */
bool foldedsplit_next(struct foldedsplit *s, struct profile *profile, struct span stack);

void foldedsplit_free(struct foldedsplit *s);

#endif

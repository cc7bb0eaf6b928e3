/* How bright a frame's colour is: three numbers from 0 to 1 that a palette spreads its hues with.
 */
#ifndef FLAMESVG_SHADE_H
#define FLAMESVG_SHADE_H

#include <stdint.h>

#include "common/base/span.h"

/* The three need not differ, but one name always has the same, unless they are random. */
enum shade_rule {
    SHADE_SUM,    /* from the sum of the name's characters */
    SHADE_HASH,   /* from its first and its last three characters: like names look alike */
    SHADE_RANDOM, /* the next three of a row of random numbers */
};

struct shade {
    enum shade_rule rule;
    uint64_t random; /* the state of drand48(3) */
};

/* Random shades follow from the seed alone. */
void shade_init(struct shade *s, enum shade_rule rule, uint32_t seed);

void shade_of(struct shade *s, struct span name, double v[static 3]);

#endif

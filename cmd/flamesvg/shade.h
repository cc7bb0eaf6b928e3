/* Where in its palette's range of colours a frame's colour is: three numbers from 0 to 1. */
#ifndef FLAMESVG_SHADE_H
#define FLAMESVG_SHADE_H

#include <stdint.h>

#include "common/base/span.h"

/* How the numbers are chosen. The same name always has the same numbers, unless they are random. */
enum shade_rule {
    SHADE_SUM,    /* from the sum of the name's characters */
    SHADE_HASH,   /* from a hash of its first and its last three characters */
    SHADE_RANDOM, /* the next three random numbers */
};

struct shade {
    enum shade_rule rule;
    uint64_t random; /* the state of drand48(3) */
};

/* `seed` is the random seed of SHADE_RANDOM: the same seed gives the same numbers. */
void shade_init(struct shade *s, enum shade_rule rule, uint32_t seed);

/* Sets v to the numbers of a name; random ones advance s. */
void shade_of(struct shade *s, struct span name, double v[static 3]);

#endif

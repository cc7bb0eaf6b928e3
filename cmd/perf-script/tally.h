/* How often each of some names occurs. */
#ifndef PERF_SCRIPT_TALLY_H
#define PERF_SCRIPT_TALLY_H

#include "common/base/intern.h"

struct tally_row {
    uint64_t count;
    uint64_t sum; /* of whatever the caller adds up */
};

/* {0} is an empty one. Names are numbered in the order of first sight. */
struct tally {
    struct intern names;
    struct tally_row *rows;
    size_t cap;
};

/* Adds to a name's count and sum, and gives its number. */
uint32_t tally_add(struct tally *t, struct span name, uint64_t count, uint64_t sum);

/* The names' numbers by falling count, equal counts by name; in the arena. */
const uint32_t *tally_order(const struct tally *t, struct arena *a);

void tally_free(struct tally *t);

#endif

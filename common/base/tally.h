/* Counts how often names occur. */
#ifndef BASE_TALLY_H
#define BASE_TALLY_H

#include "common/base/intern.h"

struct tally_row {
    uint64_t count;
    uint64_t sum; /* of any value that the caller adds up */
};

/* {0} is empty. Names are numbered from 0 in the order of first appearance. */
struct tally {
    struct intern names;
    struct tally_row *rows;
    size_t cap;
};

/* Add to a name's count and sum, which saturate, and return its number. A new name is copied. */
uint32_t tally_add(struct tally *t, struct span name, uint64_t count, uint64_t sum);

/* As tally_add, for a name whose number is known. */
void tally_count(struct tally *t, uint32_t number, uint64_t count, uint64_t sum);

/* Return the names' numbers, sorted by falling count, equal counts by name. The array is in the
 * arena. */
const uint32_t *tally_order(const struct tally *t, struct arena *a);

enum { TALLY_TEXT = 1024 };

/* Write the most frequent names with their counts, for a message: "cycles (1,200), page-faults (3)
 * and 2 others"; "nothing" for an empty tally. */
void tally_describe(const struct tally *t, char text[static TALLY_TEXT]);

/* Free the table; it is then empty, as {0}. */
void tally_free(struct tally *t);

#endif

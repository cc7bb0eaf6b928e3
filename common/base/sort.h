/* Sorting text. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdint.h>

#include "common/base/span.h"

/* Sort the spans in span_cmp's order: bytes as unsigned, a prefix before a longer text. Set
 * places[i] to the former index of the i-th span. Fast for texts with long common prefixes; one
 * pass if they are sorted already. More than 2^32 - 1 spans, or bytes in one of them, end the
 * program like a lack of memory. */
void sort_spans(struct span *spans, size_t n, uint32_t *places);

/* As sort_spans, without moving the spans: set places[i] to the index of the i-th in order. */
void sort_order(const struct span *spans, size_t n, uint32_t *places);

/* Sort n sequences of 32-bit numbers, given as bytes, without moving them: set order[i] to the
 * index of the i-th in order. They are compared number by number, by rank[2 * number], or for the
 * last number of a sequence by rank[2 * number + 1]. All ranks are different, and less than
 * SORT_RANKS. */
void sort_sequences(const struct span *sequences, size_t n, const uint32_t *rank, uint32_t *order);

enum { SORT_RANKS = 1 << 28 };

#endif

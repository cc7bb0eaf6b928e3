/* Sorting text. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdint.h>

#include "common/base/span.h"

/* Sort the spans in span_cmp's order: bytes as unsigned, a prefix before a longer text. places[i]
 * becomes the index that the i-th span had before. Fast for texts with long common prefixes; one
 * pass if they are sorted already. More than 2^32 - 1 spans, or bytes in one of them, end the
 * program as a lack of memory does. */
void sort_spans(struct span *spans, size_t n, uint32_t *places);

/* The same, without moving the spans: places[i] becomes the index of the i-th in order. */
void sort_order(const struct span *spans, size_t n, uint32_t *places);

/* Sort n sequences of 32-bit numbers, given as bytes, without moving them: order[i] becomes the
 * index of the i-th in order. They compare number by number, by rank[2 * number], or for the last
 * number of a sequence by rank[2 * number + 1]. No two ranks are equal, and all are below
 * SORT_RANKS. */
void sort_sequences(const struct span *sequences, size_t n, const uint32_t *rank, uint32_t *order);

enum { SORT_RANKS = 1 << 28 };

#endif

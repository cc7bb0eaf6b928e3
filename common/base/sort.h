/* Sorting text. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdint.h>

#include "common/base/span.h"

/* Puts the spans into span_cmp's order: bytes as unsigned, a shorter text before a longer one that
 * it begins. places[i] becomes the place that the i-th one had. Fast where texts share long
 * beginnings, one pass where they are in order already. More than 2^32 - 1 spans
 * end the program as a lack of memory. */
void sort_spans(struct span *spans, size_t n, uint32_t *places);

/* The same without moving the spans. */
void sort_order(const struct span *spans, size_t n, uint32_t *places);

/* Orders n sequences of 32-bit numbers, given as bytes: order[i] becomes the place of the i-th in
 * order. They compare by the ranks of their numbers, below SORT_RANKS: rank[2 * number], or
 * rank[2 * number + 1] for the last of a sequence. No two ranks may be equal. */
void sort_sequences(const struct span *sequences, size_t n, const uint32_t *rank, uint32_t *order);

enum { SORT_RANKS = 1 << 28 };

#endif

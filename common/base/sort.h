/* Sorting text. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdint.h>

#include "common/base/span.h"

/* Puts the spans into span_cmp's order: bytes as unsigned, a shorter text before a longer one that
 * it begins. Fast where texts share long beginnings, one pass where they are in order already. */
void sort_spans(struct span *spans, size_t n);

/* The same without moving the spans: order[0] becomes the place of the least, and so on. n is below
 * 2^32. */
void sort_order(const struct span *spans, size_t n, uint32_t *order);

#endif

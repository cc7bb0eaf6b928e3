/* A map from addresses to numbers, made of ranges that may overlap. Where they do, the largest
 * number wins. */
#ifndef DWARF_COVER_H
#define DWARF_COVER_H

#include <stdint.h>

#include "common/base/mem.h"
#include "common/base/patience.h"

struct range {
    uint64_t low, high; /* high: end, exclusive */
    uint32_t number;
};

/* Limit of ranges; more are ignored. All units of Chromium have a million ranges, one unit far
 * fewer. */
enum { RANGES_MAX = 1 << 22 };

/* {0} is empty. */
struct ranges {
    struct range *list;
    size_t count, cap;
};

/* Add a range unless it is empty. Ignore a range that begins at 0: its function was removed by the
 * linker. */
void ranges_add(struct ranges *r, uint64_t low, uint64_t high, uint32_t number);

void ranges_free(struct ranges *r);

#define COVER_NONE UINT32_MAX

/* {0} is empty. */
struct cover {
    /* private */
    uint64_t *starts; /* sorted; each part ends where the next one starts */
    uint32_t *numbers;
    size_t count, starts_cap, numbers_cap;
};

/* Fill *c, which is {0}, with the ranges, and sort these. If the patience, which may be NULL, is
 * over afterwards, the result is incomplete: do not use it. */
void cover_make(struct cover *c, struct ranges *r, struct patience *patience);

/* Return the number at an address; COVER_NONE if there is none. */
uint32_t cover_find(const struct cover *c, uint64_t address);

/* Return the size in memory, in bytes. */
size_t cover_size(const struct cover *c);

void cover_free(struct cover *c);

#endif

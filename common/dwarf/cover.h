/* Which of many ranges of addresses, which may overlap, counts at an address: the one with the
 * largest number. */
#ifndef DWARF_COVER_H
#define DWARF_COVER_H

#include <stdint.h>

#include "common/base/mem.h"
#include "common/base/patience.h"

struct range {
    uint64_t low, high; /* high: after the last address */
    uint32_t number;
};

/* Chromium's units have a million ranges, and a unit far fewer; all that would be more are left out. */
enum { RANGES_MOST = 1 << 22 };

/* {0} has none. */
struct ranges {
    struct range *list;
    size_t count, cap;
};

/* Add a range unless it is empty. One that begins at 0 is left out: it is of a function that the
 * linker has removed. */
void ranges_add(struct ranges *r, uint64_t low, uint64_t high, uint32_t number);

void ranges_free(struct ranges *r);

#define COVER_NONE UINT32_MAX

/* {0} has no ranges. */
struct cover {
    /* private */
    uint64_t *starts; /* sorted; each part ends where the next one begins */
    uint32_t *numbers;
    size_t count, starts_cap, numbers_cap;
};

/* Make *c, which is {0}, of the ranges, which are sorted for that. Once the patience, which may be NULL,
 * is over, it is of no use. */
void cover_make(struct cover *c, struct ranges *r, struct patience *patience);

/* Return the number at an address, or COVER_NONE. */
uint32_t cover_find(const struct cover *c, uint64_t address);

/* Return how many bytes it takes. */
size_t cover_size(const struct cover *c);

void cover_free(struct cover *c);

#endif

/* Abbreviations: the attributes that debugging information entries (DIEs) have, and how to skip
 * them. */
#ifndef DWARF_ABBREV_H
#define DWARF_ABBREV_H

#include "common/base/cursor.h"
#include "common/dwarf/debugfile.h"

/* The sizes that the header of a unit gives. */
struct unitformat {
    uint8_t version, address_size, offset_size; /* bytes; offset_size is 4 or 8 */
};

struct attribute {
    uint16_t name, form;
    int64_t constant; /* of DW_FORM_implicit_const */
};

struct abbrev {
    uint64_t code;
    uint16_t tag;
    bool children;
    uint32_t first, count;  /* its attributes */
    uint32_t steps, nsteps; /* how to skip them */
};

/* {0} is empty. */
struct abbrevs {
    struct abbrev *list; /* by code */
    size_t count, cap;
    struct attribute *attributes;
    size_t nattributes, attributes_cap;

    /* private */
    uint16_t *steps;
    size_t nsteps, steps_cap;
};

/* Read the abbreviations at an offset of .debug_abbrev, in place of those that *a had, as units of
 * that format use them. What is damaged ends them. Return how many bytes were looked at, at most. */
size_t abbrevs_read(struct abbrevs *a, struct debugfile *f, uint64_t offset,
                    struct unitformat format);

/* Return the abbreviation of a code; NULL: there is none. */
const struct abbrev *abbrevs_find(const struct abbrevs *a, uint64_t code);

/* Skip all attributes of an entry that has this abbreviation. */
void abbrevs_skip(const struct abbrevs *a, const struct abbrev *abbrev, struct cursor *r,
                  struct unitformat format);

/* Read one value of a form: a number, or the length of a DW_FORM_string; skip a block, and return
 * 0. Set *form to what a DW_FORM_indirect names. An unknown form ends the input. */
uint64_t form_read(struct cursor *r, uint64_t *form, struct unitformat format);

/* Return how many bytes they take. */
size_t abbrevs_size(const struct abbrevs *a);

void abbrevs_free(struct abbrevs *a);

#endif

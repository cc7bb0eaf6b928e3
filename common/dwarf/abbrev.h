/* Abbreviations: the attributes of debugging information entries (DIEs), and how to skip them. */
#ifndef DWARF_ABBREV_H
#define DWARF_ABBREV_H

#include "common/base/cursor.h"
#include "common/dwarf/debugfile.h"

/* Sizes from a unit's header. */
struct unitformat {
    uint8_t version, address_size, offset_size; /* bytes; offset_size is 4 or 8 */
};

struct attribute {
    uint16_t name, form;
    int64_t constant; /* for DW_FORM_implicit_const */
};

struct abbrev {
    uint64_t code;
    uint16_t tag;
    bool children;
    uint32_t first, count;  /* index and number of its attributes */
    uint32_t steps, nsteps; /* index and number of the steps that skip them */
};

/* {0} is empty. */
struct abbrevs {
    struct abbrev *list; /* sorted by code */
    size_t count, cap;
    struct attribute *attributes;
    size_t nattributes, attributes_cap;

    /* private */
    uint16_t *steps;
    size_t nsteps, steps_cap;
};

/* Read the abbreviations at an offset of .debug_abbrev into *a, replacing its contents. `format` is
 * that of the units that use them. Stop at damaged data. Return the size in bytes of the block that
 * was read: the table is at most as large. */
size_t abbrevs_read(struct abbrevs *a, struct debugfile *f, uint64_t offset,
                    struct unitformat format);

/* Return the abbreviation with a code; NULL if there is none. */
const struct abbrev *abbrevs_find(const struct abbrevs *a, uint64_t code);

/* Skip all attributes of an entry with this abbreviation. */
void abbrevs_skip(const struct abbrevs *a, const struct abbrev *abbrev, struct cursor *r,
                  struct unitformat format);

/* Read a value of a form and return it: a number, or the length of a DW_FORM_string or of a block,
 * which is skipped. For DW_FORM_indirect, set *form to the form that it names. At an unknown form,
 * skip to the end and set r->cut. */
uint64_t form_read(struct cursor *r, uint64_t *form, struct unitformat format);

/* Return the size in memory, in bytes. */
size_t abbrevs_size(const struct abbrevs *a);

void abbrevs_free(struct abbrevs *a);

#endif

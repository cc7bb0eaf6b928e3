/* The addresses of an entry: DW_AT_low_pc and DW_AT_high_pc, or a list in .debug_ranges or
 * .debug_rnglists. */
#ifndef DWARF_RANGELIST_H
#define DWARF_RANGELIST_H

#include "common/dwarf/cover.h"
#include "common/dwarf/unit.h"

/* What an entry says of its addresses; {0}: nothing. */
struct extent {
    struct value low_pc, high_pc, ranges;
};

/* Add the ranges of an entry of the unit under a number. At most `*left` entries of lists are read,
 * which are counted down: lists may overlap. */
void rangelist_add(struct ranges *to, struct units *u, struct unit *unit, const struct extent *of,
                   uint32_t number, size_t *left);

/* Return how many entries the lists of a file may have: the calls of a unit do not use more, except in
 * a file that was made to waste time. */
size_t rangelist_count(struct units *u);

#endif

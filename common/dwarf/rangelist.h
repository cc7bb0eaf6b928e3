/* The addresses of an entry: DW_AT_low_pc and DW_AT_high_pc, or a list in .debug_ranges or
 * .debug_rnglists. */
#ifndef DWARF_RANGELIST_H
#define DWARF_RANGELIST_H

#include "common/dwarf/cover.h"
#include "common/dwarf/unit.h"

/* The attributes that give the addresses of an entry; {0}: none. */
struct extent {
    struct value low_pc, high_pc, ranges;
};

/* Add the address ranges of an entry, with a number. *left limits the list entries that are read,
 * and is decremented for each: lists may overlap. */
void rangelist_add(struct ranges *to, struct units *u, struct unit *unit, const struct extent *of,
                   uint32_t number, size_t *left);

/* Return a limit for the list entries of a file. Only a file made to waste time exceeds it. */
size_t rangelist_count(struct units *u);

#endif

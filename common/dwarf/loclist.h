/* The DWARF expression that describes where a variable is at an address: an attribute's own, or one
 * of a list in .debug_loc or .debug_loclists. */
#ifndef DWARF_LOCLIST_H
#define DWARF_LOCLIST_H

#include "common/dwarf/die.h"

/* Find the expression of a value at an address. Return false if there is none: there, the variable
 * does not exist. The expression is valid until an entry or a list of that file is read. */
bool loclist_find(const struct die_value *v, uint64_t address, struct span *expression);

#endif

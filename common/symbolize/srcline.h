/* Source lines of ordinary code, as perf script -F +srcline prints them:
 *
 *     core.c:137           from the debug information
 *     core.c:0             ... or the symbol table, where a file is known and no line
 *     libc.so.6[2724a]     nothing is known of the address: the file's name, and the address in it
 */
#ifndef SYMBOLIZE_SRCLINE_H
#define SYMBOLIZE_SRCLINE_H

#include "common/base/text.h"
#include "common/dwarf/dwarf.h"
#include "common/sym/procmaps.h"

/* Append the source line of a call. Return false where perf prints none: it is not known which source
 * file the function is of. */
bool srcline_add(const struct dwarf_call *call, struct text *out);

/* Append what perf prints of an address of which nothing is known. Return true. */
bool srcline_add_unknown(const struct dso *dso, uint64_t addr, struct text *out);

#endif

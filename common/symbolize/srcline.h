/* Source lines of ordinary code, as perf script -F +srcline prints them:
 *
 *     core.c:137           from the debug information
 *     core.c:0             ... or the symbol table, where a file is known and no line
 *     libc.so.6[2724a]     nothing is known of the address: the file's name, and the address in it
 */
#ifndef SYMBOLIZE_SRCLINE_H
#define SYMBOLIZE_SRCLINE_H

#include "common/sym/procmaps.h"
#include "common/symbolize/debuginfo.h"

/* Append the source line of the code at an address as `struct dso` has it. `file` is the DSO's;
 * NULL: none; see debuginfo_find. Return false where perf prints no line: the file has a function
 * at the address, but not which source file that is of. */
bool srcline_add(struct debuginfo *d, const struct dso *dso, const struct dsofile *file,
                 uint64_t addr, struct text *out);

#endif

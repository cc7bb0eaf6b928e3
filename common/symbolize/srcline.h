/* Source lines of ordinary code, as perf script -F +srcline prints them:
 *
 *     core.c:137           from the debug information
 *     core.c:0             from the symbol table, if it has a file but no line
 *     libc.so.6[2724a]     nothing is known of the address: the file's name, and the address in it
 */
#ifndef SYMBOLIZE_SRCLINE_H
#define SYMBOLIZE_SRCLINE_H

#include "common/base/text.h"
#include "common/dwarf/dwarf.h"
#include "common/sym/procmaps.h"

/* Append the source line of a call. Return false if the source file is unknown: perf then prints no
 * line. */
bool srcline_add(const struct dwarf_call *call, struct text *out);

/* Append the text that perf prints for an address of which nothing is known, such as
 * "libc.so.6[2724a]". Always return true: the frame has a source line to print. */
bool srcline_add_unknown(const struct dso *dso, uint64_t addr, struct text *out);

#endif

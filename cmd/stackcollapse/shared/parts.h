/* Parses words, numbers and lines that several formats have in common. */
#ifndef STACKCOLLAPSE_PARTS_H
#define STACKCOLLAPSE_PARTS_H

#include "common/base/decimal.h"
#include "common/base/text.h"

/* Return true for a function of macOS that blocks in the kernel, as sample(1) prints its name:
 * "mach_msg_trap", "kevent". */
bool parts_is_macwait(struct span function);

/* Set *places to the power of ten that converts a value in this unit to microseconds: 3 for
 * "milliseconds". Return false, with *places 0, if it is not a unit of time. */
bool parts_time_unit(struct span unit, int *places);

/* Set *samples to the number of samples in the line before a stack of wallClockProfiler, "99.791%
 * ==== (17194 samples)". Return false, with *samples unchanged, if the line is another one. */
bool parts_wcp_samples(struct span line, struct decimal *samples);

/* Split a line of pmcstat's call graph, "  16.67%  [2]          selfdfree". Return false if it is
 * not such a line. */
bool parts_pmc_row(struct span line, size_t *indent, struct span *count, struct span *name);

/* Return the line without the part from its first "(" to its last ")". The result is in *text
 * unless it is the whole line. */
struct span parts_without_place(struct text *text, struct span line);

/* Remove "12.50", or with `whole` also "12", from the beginning of *rest, and return it; return an
 * empty span if there is no such number. */
struct span parts_number(struct span *rest, bool whole);

#endif

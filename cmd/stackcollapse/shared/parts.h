/* Words, numbers and lines that several formats have. */
#ifndef STACKCOLLAPSE_PARTS_H
#define STACKCOLLAPSE_PARTS_H

#include "common/base/decimal.h"
#include "common/base/text.h"

/* Return true for a function of macOS that blocks in the kernel, as sample(1) prints its name:
 * "mach_msg_trap", "kevent". */
bool parts_is_macwait(struct span function);

/* Set *places to how many places to the left the decimal point of a value in this unit moves to
 * make it microseconds: 3 for "milliseconds". Return false, with *places 0, if the unit is none of
 * time. */
bool parts_time_unit(struct span unit, int *places);

/* Set *samples to the number of samples in the line before a stack of wallClockProfiler, "99.791%
 * ==== (17194 samples)". Return false, with *samples unchanged, if the line is another one. */
bool parts_wcp_samples(struct span line, struct decimal *samples);

/* Split a line of pmcstat's call graph, "  16.67%  [2]          selfdfree". False: it is none. */
bool parts_pmc_row(struct span line, size_t *indent, struct span *count, struct span *name);

/* Return the line without its first "(", its last ")" and what is between them; in *text unless the
 * whole line is returned. */
struct span parts_without_place(struct text *text, struct span line);

/* Take "12.50", or if `whole` also "12", off the beginning of *rest, and return it. It is empty if
 * there is none. */
struct span parts_number(struct span *rest, bool whole);

#endif

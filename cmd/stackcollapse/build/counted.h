/* Formats whose stacks, leaf first, end with a line that has their count: DTrace's, SystemTap's and
 * bpftrace's. */
#ifndef STACKCOLLAPSE_COUNTED_H
#define STACKCOLLAPSE_COUNTED_H

#include "cmd/stackcollapse/build/reader.h"

/* Return true if the line is no frame: it is blank, or white space and a number, the count of the
 * stack, which is emitted. Under a Perl script's name white space after the number makes the line a
 * frame, and a stack without frames is one empty frame. */
bool counted_end(struct reader *f, struct span line);

/* Return the frame without its offset, "+0x1a", and what follows it. */
struct span counted_without_offset(struct span frame);

/* Push the parts between "->" of a frame, the calls that Java inlined, as frames, the innermost
 * call last. A part loses the L that names of Java's classes begin with: each, or if not `all`, one
 * with a ";", "La/B;::run". It becomes "a/B:::run". */
void counted_push_inlined(struct reader *f, struct span frame, bool all);

/* Split the last line of a stack in a map of bpftrace, "text]: 12". Return false if it is none. */
bool counted_split(struct span line, struct span *text, struct span *count);

/* The finish() of such a format: a stack without a count is reported as skipped. */
void counted_finish(struct reader *f);

#endif

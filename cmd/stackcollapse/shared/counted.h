/* Formats whose stacks, leaf first, end with a line that has their count: DTrace's, SystemTap's and
 * bpftrace's. */
#ifndef STACKCOLLAPSE_COUNTED_H
#define STACKCOLLAPSE_COUNTED_H

#include "cmd/stackcollapse/shared/stacker.h"

/* Return true if the line is no frame. It may be blank, or blanks and a number: that is the count
 * of the stack, which is emitted. */
bool counted_end(struct stacker *f, struct span line);

/* Return the frame without its offset, "+0x1a", and what follows it. */
struct span counted_without_offset(struct span frame);

/* Push the parts between "->" of a frame, the calls that Java inlined, as frames, the innermost
 * call last. The L that the name of a Java class begins with is removed, so that "La/B;::run"
 * becomes "a/B:::run": from each part if `all`, else only from those with a ";". */
void counted_push_inlined(struct stacker *f, struct span frame, bool all);

/* Split the last line of a stack in a map of bpftrace, "text]: 12", into the text and the count.
 * Return false if it is another line. */
bool counted_split(struct span line, struct span *text, struct span *count);

/* The finish() of such a format: a stack without a count is reported as skipped. */
void counted_finish(struct stacker *f);

#endif

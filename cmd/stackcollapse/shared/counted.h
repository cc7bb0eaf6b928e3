/* Formats whose stacks, leaf first, end with a line that has their count: DTrace's, SystemTap's and
 * bpftrace's. */
#ifndef STACKCOLLAPSE_COUNTED_H
#define STACKCOLLAPSE_COUNTED_H

#include "cmd/stackcollapse/shared/stacker.h"

/* Return true if the line is not a frame: it is blank, or blanks and a number, which is the count
 * of the stack: emit the stack then. */
bool counted_end(struct stacker *f, struct span line);

/* Return the frame without its offset, "+0x1a", and anything after that. */
struct span counted_without_offset(struct span frame);

/* Split a frame at "->" into the calls that Java inlined, and push them, innermost last. Remove the
 * L before the name of a Java class, so that "La/B;::run" becomes "a/B:::run": from each part if
 * `all`, else only from parts with a ";". */
void counted_push_inlined(struct stacker *f, struct span frame, bool all);

/* Split the last line of a stack in a map of bpftrace, "text]: 12", into the text and the count.
 * Return false if it is another line. */
bool counted_split(struct span line, struct span *text, struct span *count);

/* Report a stack without a count as skipped: the finish() of such a format. */
void counted_finish(struct stacker *f);

#endif

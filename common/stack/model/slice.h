/* Slices of time. The first frame of a folded stack may say in which slice the stack was seen:
 * "@4794564.100;node;main" in the one that begins at that second, of the clock of the recording. */
#ifndef STACK_SLICE_H
#define STACK_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/span.h"

enum { SLICE_TEXT = 32 };

/* Parse a sample's time, "4794564.109216", as whole milliseconds. Return false if it is none. */
bool slice_time(struct span time, uint64_t *ms);

/* Return the frame of the slice that begins at that time, in milliseconds: borrows `text`. It always
 * has three decimal places, so that the frames of one recording sort by time. */
struct span slice_frame(char text[static SLICE_TEXT], uint64_t ms);

/* Take the slice's frame off *stack and set *ms to its time. Return false, with both unchanged, if
 * the stack begins with another frame or has no other. */
bool slice_take(struct span *stack, uint64_t *ms);

/* Return the stack without the frame of its slice. */
struct span slice_off(struct span stack);

#endif

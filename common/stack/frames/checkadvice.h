/* Advice for what a recording lacks, based on the counts of check.h. */
#ifndef STACK_CHECKADVICE_H
#define STACK_CHECKADVICE_H

#include "common/stack/frames/check.h"

enum { CHECKADVICE_TEXT = 1024 };

/* Write the next advice that applies, beginning with *at = 0. check_finish was called. Return false
 * if there is no more. Names in the text may contain any byte. */
bool checkadvice_next(const struct check *c, size_t *at, char text[static CHECKADVICE_TEXT]);

/* Set *n to the number of stacks that end early because the copy of the stack was too short,
 * without those that the processor cut, which have the same mark. Return the DSO with the most of
 * them. */
struct span checkadvice_cut(const struct check *c, uint64_t *n);

/* Likewise for stacks that end early because unwinding failed. */
struct span checkadvice_lost(const struct check *c, uint64_t *n);

#endif

/* The text of an archive's files: one line for each different stack, with a series of its counts in
 * slices of time (common/stack/model/slice.h). With a line for each minute, the hours of a day of one
 * busy processor were 2.4 GB of text instead of 60 MB, and decompressing them took 8 s. */
#ifndef STACKRECORD_ARCHIVETEXT_H
#define STACKRECORD_ARCHIVETEXT_H

#include "common/base/out.h"
#include "common/stack/model/profile.h"

/* Write all stacks of the profile, with a series of counts for each (slice.h). In the profile, each
 * stack begins with the frame of one slice, which is `step` milliseconds long. */
void archivetext_write(struct profile *p, uint32_t step, struct out *out);

#endif

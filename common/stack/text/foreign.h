/* Recognizes profiles of other tools that none of our programs reads. */
#ifndef STACK_FOREIGN_H
#define STACK_FOREIGN_H

#include "common/base/lines.h"

/* Return what the file at the start of `l` is, and what to do with it; NULL if a program may be
 * able to read it. Consume nothing, and wait for more than FOREIGN_START bytes only if these look
 * like such a profile. */
const char *foreign_profile(struct lines *l);

enum { FOREIGN_START = 10 };

#endif

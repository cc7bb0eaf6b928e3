/* Recognizes profiles of other tools that none of the programs reads. */
#ifndef STACK_FOREIGN_H
#define STACK_FOREIGN_H

#include "common/base/lines.h"

/* Return what the file is, at whose start `l` is, and what to do with it; NULL: it may be one that
 * a program reads. Consumes nothing, and waits for more than FOREIGN_START bytes only if these are
 * as in such a profile. */
const char *foreign_profile(struct lines *l);

enum { FOREIGN_START = 10 };

#endif

/* The option --list. */
#ifndef STACKRECORD_LISTING_H
#define STACKRECORD_LISTING_H

#include "common/base/out.h"

/* Prints the events that can be recorded on this machine, one on a line: its name and its kind.
 * Returns NULL, or why tracepoints could not be listed and what to do, which the caller frees. */
char *listing_print(struct out *out);

#endif

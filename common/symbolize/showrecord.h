/* Records that are not samples as text, the way perf script's --show-*-events print them. */
#ifndef SYMBOLIZE_SHOWRECORD_H
#define SYMBOLIZE_SHOWRECORD_H

#include "common/base/text.h"
#include "common/event/record.h"

/* Which records: */
enum { SHOW_LOST = 1, SHOW_MMAP = 2, SHOW_TASK = 4 };

/* Append what follows the header: "PERF_RECORD_COMM exec: node:4242/4242". False, without text, if
 * `show`, SHOW_ bits, does not ask for records of this type. */
bool showrecord(struct text *out, const struct record *r, unsigned show);

#endif

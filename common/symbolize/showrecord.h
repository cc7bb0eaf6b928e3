/* Writes records that are not samples as text, as perf script's --show-*-events options do. */
#ifndef SYMBOLIZE_SHOWRECORD_H
#define SYMBOLIZE_SHOWRECORD_H

#include "common/base/text.h"
#include "common/event/record.h"

/* Kinds of records: */
enum { SHOW_LOST = 1, SHOW_MMAP = 2, SHOW_TASK = 4 };

/* Append the text that follows the header in the line of a record, such as "PERF_RECORD_COMM exec:
 * node:4242/4242". `show` is a set of SHOW_ bits. If it does not contain the bit for this type of
 * record, append nothing and return false. */
bool showrecord(struct text *out, const struct record *r, unsigned show);

#endif

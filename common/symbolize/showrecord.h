/* Writes records that are not samples as text, as perf script's --show-*-events options do. */
#ifndef SYMBOLIZE_SHOWRECORD_H
#define SYMBOLIZE_SHOWRECORD_H

#include "common/base/text.h"
#include "common/event/record.h"

/* Kinds of records: */
enum { SHOW_LOST = 1, SHOW_MMAP = 2, SHOW_TASK = 4 };

/* Append the text after the header: "PERF_RECORD_COMM exec: node:4242/4242". `show` is a set of
 * SHOW_ bits: return false, and append nothing, if it does not contain this type of record. */
bool showrecord(struct text *out, const struct record *r, unsigned show);

#endif

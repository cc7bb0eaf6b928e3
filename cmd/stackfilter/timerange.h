/* --last 10m and --between 14:02..14:07: a range of calendar time. */
#ifndef STACKFILTER_TIMERANGE_H
#define STACKFILTER_TIMERANGE_H

#include <stdint.h>

#include "common/base/span.h"

/* Seconds since 1970; `to` is excluded. If `to` is 0, the range has all times. */
struct timerange {
    uint64_t from, to;
    bool utc; /* given in UTC, and shown in UTC */
};

/* Parse "FROM..TO", each [YYYY-MM-DDT]HH:MM[:SS], in local time, or in UTC with a Z. If TO is
 * missing, it is `now`. FROM without a date is the most recent such time, TO without a date the
 * first one after FROM. Return NULL, or what is wrong. */
const char *timerange_parse(struct timerange *r, struct span text, uint64_t now);

enum { TIMERANGE_TEXT = 80 };

/* Return "2026-11-27T14:02:00+0100 to 2026-11-27T14:07:00+0100" as a C string, written into `text`.
 */
const char *timerange_text(char text[static TIMERANGE_TEXT], const struct timerange *r);

#endif

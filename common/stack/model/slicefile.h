/* The files of an archive that stackrecord --archive writes: one for each slice of time, named by
 * when it begins (UTC), and one for each hour in which older slices were merged:
 *
 *     2026-11-27T20:30:00Z.folded.zst       also .folded.gz, .folded
 *     2026-11-27T20:30:00Z-2.folded.zst     another slice of that name: the clock was set back
 *     2026-11-27T19Z.folded.zst             slices of an hour, those without -2
 *
 * An hour's file has all slices of its hour and number that are still there beside it. */
#ifndef STACK_SLICEFILE_H
#define STACK_SLICEFILE_H

#include <stdint.h>

#include "common/base/span.h"
#include "common/base/vec.h"

struct slicefile {
    uint64_t begin;  /* seconds since 1970; of an hour its own begin */
    uint32_t number; /* 1, or that after "-" */
    bool hour;
};

enum { SLICEFILE_HOUR = 3600, SLICEFILE_NAME = 64 };

/* Parse a file's name. Return false if it is none of an archive. */
bool slicefile_parse(struct span name, struct slicefile *f);

/* Return the name up to ".folded", as a C string in `text`, for a time before the year 10000. */
const char *slicefile_name(char text[static SLICEFILE_NAME], struct slicefile f);

/* Return the hour's file that has the slice once slices are merged. */
struct slicefile slicefile_hour(struct slicefile slice);

/* Order files by when they begin, an hour before its slices, then by number: below 0, 0, above 0. */
int slicefile_compare(const struct slicefile *a, const struct slicefile *b);

/* The files of the hour that is read now. {0} for the first file; the owner frees list.at. */
struct slicefile_hours {
    VEC(struct slicefile) list;
};

/* Call for each file of a folder, in order. Return true for a slice that an hour's file holds too:
 * its recorder was killed before it had removed the slice. */
bool slicefile_is_merged(struct slicefile_hours *hours, struct slicefile file);

/* Return how many days the month has; it counts from 1. */
unsigned slicefile_days(unsigned year, unsigned month);

/* Return the seconds from 1970 to a time of the calendar, UTC; months and days count from 1. */
uint64_t slicefile_seconds(unsigned year, unsigned month, unsigned day, unsigned second);

#endif

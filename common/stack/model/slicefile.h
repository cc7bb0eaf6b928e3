/* The files of an archive that stackrecord --archive writes: one for each slice of time, named by
 * when it begins (UTC), and one for each hour in which older slices were merged:
 *
 *     2026-11-27T20:30:00Z.folded.zst       also .folded.gz, .folded
 *     2026-11-27T20:30:00Z-2.folded.zst     another slice of that name: the clock was set back
 *     2026-11-27T19Z.folded.zst             slices of an hour, those without -2
 *
 * The file of an hour has the stacks of all slices of that hour and number, also of slices whose
 * own files still exist. */
#ifndef STACK_SLICEFILE_H
#define STACK_SLICEFILE_H

#include <stdint.h>

#include "common/base/span.h"
#include "common/base/vec.h"

struct slicefile {
    uint64_t begin;  /* start of the slice or the hour: seconds since 1970 */
    uint32_t number; /* the number after "-"; 1 without one */
    bool hour;
};

enum { SLICEFILE_HOUR = 3600, SLICEFILE_NAME = 64 };

/* Parse a file's name. Return false if it is not the name of a file of an archive. */
bool slicefile_parse(struct span name, struct slicefile *f);

/* Return the name up to ".folded", as a C string in `text`, for a time before the year 10000. */
const char *slicefile_name(char text[static SLICEFILE_NAME], struct slicefile f);

/* Return the file of the hour into which the slice is merged. */
struct slicefile slicefile_hour(struct slicefile slice);

/* Compare files by their start, an hour before its slices, then by number. Return a number below 0,
 * 0, or above 0. */
int slicefile_compare(const struct slicefile *a, const struct slicefile *b);

/* The files of the hour that is being read. {0} before the first file; the owner frees list.at. */
struct slicefile_hours {
    VEC(struct slicefile) list;
};

/* Call this for each file of a folder, in order. Return true for a slice that is also in the file
 * of its hour: the recorder was killed before it removed the slice's file. */
bool slicefile_is_merged(struct slicefile_hours *hours, struct slicefile file);

/* Return the number of days of a month; months count from 1. */
unsigned slicefile_days(unsigned year, unsigned month);

/* Return the seconds from 1970 to a time of the calendar, UTC; months and days count from 1. */
uint64_t slicefile_seconds(unsigned year, unsigned month, unsigned day, unsigned second);

#endif

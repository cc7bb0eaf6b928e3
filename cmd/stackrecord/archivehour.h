/* Merges the slices of an hour into one file. */
#ifndef STACKRECORD_ARCHIVEHOUR_H
#define STACKRECORD_ARCHIVEHOUR_H

#include "cmd/stackrecord/archivefolder.h"

/* Merge the slices with the same hour and number as file i, which is the first of them: write the
 * file of the hour, then remove the slices. Older files are removed if it does not fit in `keep`
 * bytes; if it does not fit even then, nothing is done. Times become multiples of `tick`
 * milliseconds, as they mostly are. Return 0, or an errno, with all slices unchanged: EIO also if a
 * slice cannot be read. */
int archivehour_merge(const struct archivefolder *f, struct archivelist *list, size_t i,
                      uint64_t keep, uint32_t tick);

#endif

/* Merges the slices of an hour into one file, in which times are kept to the minute. */
#ifndef STACKRECORD_ARCHIVEHOUR_H
#define STACKRECORD_ARCHIVEHOUR_H

#include "cmd/stackrecord/archivefolder.h"

/* Merge the slices that have the hour and number of the i-th file, which is the first of them: write
 * their hour's file, then remove them. Older files are removed if there is no room for it in `keep`
 * bytes; if there is none even then, nothing is done. Return 0, or an errno, with all slices as they
 * were: EIO also if one of them cannot be read. */
int archivehour_merge(const struct archivefolder *f, struct archivelist *list, size_t i,
                      uint64_t keep);

#endif

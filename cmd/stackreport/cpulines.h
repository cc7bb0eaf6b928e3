/* Reads the lines of a CPU profile of V8 (.cpuprofile), as node --cpu-prof writes it. */
#ifndef STACKREPORT_CPULINES_H
#define STACKREPORT_CPULINES_H

#include "cmd/stackreport/linecount.h"
#include "common/base/json.h"

/* Return true if the file that begins with these bytes is such a profile. */
bool cpulines_is(struct span head);

/* Add the samples of a profile to the counts, and return their number. Set `why` to what is wrong
 * with the file, or to "". */
uint64_t cpulines_read(struct linecount *c, struct lines *lines, char why[static JSON_WHY]);

#endif

/* --header: comment lines before the text that say what is recorded, in the form of perf script
 * --header (tools/perf/util/header.c), which readers of such text skip:
 *
 *     # hostname : web1
 *     # captured on : 2026-11-28T19:40:00Z
 *     # process : 4242 : node server.js
 *     # command : node app.js
 *     # turns : 50 ms
 *     # monotonic clock : 1297.908076 at 2026-11-28T19:40:00.250125Z
 *
 * The line of turns says that there are samples of turns of event loops, and from which length on.
 * The last line says what time it was on the clock of the samples' times. */
#ifndef STACKRECORD_HEADER_H
#define STACKRECORD_HEADER_H

#include "cmd/stackrecord/capture/target.h"
#include "common/base/text.h"

/* Append the lines to *to. `turns`: milliseconds; 0: turns are not recorded. Processes: one line for each process (of up to 16) with its command line, as it is at
 * this moment, or for the command. A command line is cut after 200 characters, and what could harm
 * a terminal is masked. A process that has ended has no line. */
void header_add(const struct target *t, size_t turns, struct text *to);

#endif

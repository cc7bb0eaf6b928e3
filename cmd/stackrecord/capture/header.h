/* --header: comment lines before the text that describe the recording, in the form of perf script
 * --header (tools/perf/util/header.c). Readers of such text skip them:
 *
 *     # hostname : web1
 *     # captured on : 2026-11-28T19:40:00Z
 *     # process : 4242 : node server.js
 *     # command : node app.js
 *     # turns : 50 ms
 *     # monotonic clock : 1297.908076 at 2026-11-28T19:40:00.250125Z
 *
 * The line "turns" is there if turns of event loops are recorded; it has their minimum length. The
 * last line has the time of day at a time of the samples' clock. */
#ifndef STACKRECORD_HEADER_H
#define STACKRECORD_HEADER_H

#include "common/base/text.h"
#include "common/machine/target.h"

/* Append the lines to *to. `turns` is in milliseconds; 0: turns are not recorded. There is one line
 * for each process (of up to 16) or for the command, with its current command line, cut after 200
 * characters; characters that could harm a terminal are masked. A process that has ended has no
 * line. */
void header_add(const struct target *t, size_t turns, struct text *to);

#endif

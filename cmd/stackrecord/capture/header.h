/* The comment lines that --header prints before the samples. They describe the recording, in the
 * form of `perf script --header` (tools/perf/util/header.c). Programs that read samples skip them:
 *
 *     # hostname : web1
 *     # captured on : 2026-11-28T19:40:00Z
 *     # process : 4242 : node server.js
 *     # command : node app.js
 *     # turns : 50 ms
 *     # monotonic clock : 1297.908076 at 2026-11-28T19:40:00.250125Z
 *
 * There is a line "turns" if turns of event loops are recorded: it has the minimum length
 * of a turn that is shown by itself. The last line has a time of the samples' clock, and the date
 * and time of day then. */
#ifndef STACKRECORD_HEADER_H
#define STACKRECORD_HEADER_H

#include "common/base/text.h"
#include "common/machine/target.h"

/* Append the lines to *to. `turns` is in milliseconds; 0: turns are not recorded. A line "process"
 * has the current command line of a recorded process, for up to 16 processes; a line "command" that
 * of the recorded command. Command lines are cut after 200 characters, and characters that could
 * harm a terminal are masked. There is no line for a process that has ended. */
void header_add(const struct target *t, size_t turns, struct text *to);

#endif

/* Writes stalls for people:
 *
 *     2 stalls of 50 ms and longer: 562 ms in all; the recording began 2026-11-28 14:02:09 +0000
 *
 *     when             start       ms    CPU waiting  ready     GC stopped  thread
 *     14:02:11.250     1.312      412    398       2     12      0       0  node 4242/4242
 *         onRequest /srv/app.js:12 > parse /srv/app.js:30 ... v8::internal::JsonParser::Parse */
#ifndef STACKREPORT_STALLTABLE_H
#define STACKREPORT_STALLTABLE_H

#include "cmd/stackreport/stalls.h"
#include "common/base/out.h"

/* Write the list, which stalls_finish has sorted. Cut names and leave out steps of paths so that
 * lines have at most `width` characters; with 0, write all. What is left out is marked by U+2026
 * with `utf8`, else by "...". Bytes that could change a terminal's state are shown as "?". */
void stalltable_write(struct out *o, const struct stalls *s, size_t width, bool utf8);

/* Return the seconds from the start of the recording to the start of a stall; 0 if the stall began
 * earlier. */
double stalltable_start(const struct stalls *s, const struct stall *stall);

/* Append the description of a stall, in one line and without its time: "node 42: stall of 412 ms
 * (CPU 398, ...): parse /srv/app.js:30". Names may hold any byte. */
void stalltable_describe(const struct stalls *s, const struct stall *stall, struct text *to);

/* Print a stall on standard error, in one line. */
void stalltable_say(const struct stalls *s, const struct stall *stall);

#endif

/* What --check says. */
#ifndef PERF_SCRIPT_REPORT_H
#define PERF_SCRIPT_REPORT_H

#include "cmd/perf-script/check.h"
#include "common/base/out.h"

/* As text for people; control bytes are shown as "?". */
void report_text(struct out *o, const struct check *c);

/* As one JSON object on one line, of the keys that perf-script(1) lists; a byte that is no UTF-8
 * becomes U+FFFD. */
void report_json(struct out *o, const struct check *c);

/* Writes ns as seconds, with six digits behind the point where that is exact, else nine. */
void report_seconds(struct out *o, uint64_t ns);

/* Samples a second over the time that they span; 0 where that is no time at all. */
double report_rate(const struct check *c);

#endif

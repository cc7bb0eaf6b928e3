/* The report of --check. */
#ifndef PERF_SCRIPT_REPORT_H
#define PERF_SCRIPT_REPORT_H

#include "cmd/perf-script/check.h"
#include "common/base/out.h"

/* As text for people; bytes that could change a terminal's state are shown as "?" (utf8_mask). */
void report_text(struct out *o, const struct check *c);

/* As one JSON object on one line, with the keys that perf-script(1) lists; a byte that is not UTF-8
 * becomes U+FFFD. */
void report_json(struct out *o, const struct check *c);

/* Writes nanoseconds as seconds, as time_format does. */
void report_seconds(struct out *o, uint64_t ns);

/* Samples a second, over the time from the first to the last; 0 if that is no time. */
double report_rate(const struct check *c);

#endif

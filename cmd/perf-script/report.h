/* The report of --check. */
#ifndef PERF_SCRIPT_REPORT_H
#define PERF_SCRIPT_REPORT_H

#include "common/stack/frames/check.h"
#include "common/base/out.h"

/* Write text for people. Bytes that could change a terminal's state are shown as "?"
 * (utf8_mask). */
void report_text(struct out *o, const struct check *c);

/* Write one JSON object (RFC 8259) on one line, with the keys that perf-script(1) lists. Bytes
 * that are not UTF-8 become U+FFFD. */
void report_json(struct out *o, const struct check *c);

#endif

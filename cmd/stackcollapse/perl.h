/* Perf script text as stackcollapse-perf.pl's patterns read it. */
#ifndef STACKCOLLAPSE_PERL_H
#define STACKCOLLAPSE_PERL_H

#include "common/stack/perftext.h"

extern const struct perf_rules perl_rules;

/* With --srcline: each function in a frame's symbol ("->" separates them) takes the next line as
 * its source line, unless the frame is "[unknown] ([unknown])". */
extern const struct perf_rules perl_rules_srcline;

/* Parses a frame line as the script's pattern does; otherwise as perf_frame_parse. */
bool perl_frame(struct span text, struct frame *f);

/* Writes the name up to the first parenthesis that does not begin "(anonymous namespace)" to `to`,
 * which has room for name.len bytes and may be name.ptr, and returns its length. A name that looks
 * like a Go method's stays whole: "net/http.(*Client).Do". */
size_t perl_tidy(struct span name, char *to);

bool perl_is_kernel(struct span dso);
bool perl_is_jit(struct span dso);

/* The parts of a symbol between "->", empty ones at the end left out. Takes the first part off
 * *sym; false where there is none left. */
bool perl_split_arrow(struct span *sym, struct span *part);

#endif

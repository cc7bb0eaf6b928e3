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

bool perl_is_kernel(struct span dso);
bool perl_is_jit(struct span dso);

#endif

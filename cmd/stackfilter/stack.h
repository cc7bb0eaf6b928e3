/* Applies the rules to a sample's stack. */
#ifndef STACKFILTER_STACK_H
#define STACKFILTER_STACK_H

#include "cmd/stackfilter/decisions.h"

/* Whether a sample is written, and if not, which option drops it. */
enum verdict { VERDICT_KEPT, VERDICT_FOCUS, VERDICT_EXCLUDE, VERDICT_ROOT, VERDICTS };

/* Applies the rules to a stack of *n frame numbers, leaf first, in place:
 *
 *     1. --focus and --exclude keep or drop the sample, by all of its frames,
 *     2. --root-at cuts the callers,
 *     3. the options that drop frames,
 *     4. --v8-work=summarize makes one frame of each run of V8's own,
 *     5. --collapse-recursion,
 *     6. --max-depth; *cut says whether it cut any. */
enum verdict stack_filter(const struct decisions *d, uint32_t *stack, size_t *n, bool *cut);

#endif

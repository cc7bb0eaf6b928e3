/* The steps that a sample's stack goes through. */
#ifndef STACKFILTER_STACK_H
#define STACKFILTER_STACK_H

#include "cmd/stackfilter/decisions.h"

/* Why a sample is not written, or that it is. */
enum verdict { VERDICT_KEPT, VERDICT_FOCUS, VERDICT_EXCLUDE, VERDICT_ROOT, VERDICTS };

/* Applies the rules to a stack of *n frame numbers, leaf first, in place:
 *
 *     1. --focus and --exclude choose, by all of its frames, whether it stays,
 *     2. --root-at cuts,
 *     3. frames that are dropped go,
 *     4. runs of V8's own frames become one,
 *     5. --collapse-recursion,
 *     6. --max-depth; *cut says whether it took any. */
enum verdict stack_filter(const struct decisions *d, uint32_t *stack, size_t *n, bool *cut);

#endif

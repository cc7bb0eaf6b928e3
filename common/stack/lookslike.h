/* Guesses what was given in place of folded stacks, for the message that rejects it. */
#ifndef STACK_LOOKSLIKE_H
#define STACK_LOOKSLIKE_H

#include "common/base/span.h"

enum { LOOKSLIKE_BYTES = 4096 }; /* more of a file than this is of no use to looks_like */

/* Says what the file that begins with `head` looks like, and what to do, as the end of a sentence
 * "this looks like ...": "perf script text: fold it with stackcollapse". The text is static. NULL
 * if it is folded stacks or unknown. `head` may end in the middle of a line. */
const char *looks_like(struct span head);

#endif

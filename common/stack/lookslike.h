/* Guesses what a file is that has no usable line, for the message that rejects it. */
#ifndef STACK_LOOKSLIKE_H
#define STACK_LOOKSLIKE_H

#include "common/base/span.h"

enum { LOOKSLIKE_BYTES = 4096 }; /* looks_like needs no more of a file */

/* Says what the file that begins with `head` looks like, and what to do, as the end of a sentence
 * "this looks like ...": "perf script text: fold it with stackcollapse". The text is static. NULL
 * if it is folded stacks or unknown. `head` may end in the middle of a line. */
const char *looks_like(struct span head);

#endif

/* What a file holds that was given in place of folded stacks: for the message that rejects it. */
#ifndef STACK_LOOKSLIKE_H
#define STACK_LOOKSLIKE_H

#include "common/base/span.h"

enum { LOOKSLIKE_BYTES = 4096 }; /* as much of a file as is worth showing to looks_like */

/* Guesses from the first bytes of a file what it holds, and what to do about it. The text goes
 * after "this looks like ": "perf script text: fold it with stackcollapse". It is static. NULL
 * where the bytes fit nothing that is known here, folded stacks among them. `head` may end in the
 * middle of a line. */
const char *looks_like(struct span head);

#endif

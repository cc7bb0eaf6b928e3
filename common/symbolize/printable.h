/* Names of a recording as they are printed. Anybody may name a command or a file, also
 * "a\nnode 1 [000] 1.0: 1 cycles:", which must not become a line of the output. */
#ifndef SYMBOLIZE_PRINTABLE_H
#define SYMBOLIZE_PRINTABLE_H

#include "common/base/text.h"

/* The text with "?" for each control character but tabs: s itself if it has none, else a copy,
 * which is good until `copy` is used again. */
struct span printable(struct text *copy, struct span s);

#endif

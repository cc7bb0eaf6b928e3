/* Messages that outlive the function that made them. */
#ifndef MACHINE_MESSAGE_H
#define MACHINE_MESSAGE_H

#include "common/base/mem.h"

/* Return a text in the arena, formatted as by printf. */
const char *message(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

/* Parses the arguments of a tracepoint's print format. */
#ifndef TRACEPOINT_TRACEPARSE_H
#define TRACEPOINT_TRACEPARSE_H

#include "common/tracepoint/traceexpr.h"

/* Parse the whole of what follows "print fmt: " in a format: *format is the format string with its
 * escapes replaced, args[0 .. *nargs - 1] are its arguments. All of it is in the arena, where it
 * takes some multiple of the text's size; fields are borrowed from f. Return false if the text has
 * something that is not known here, such as the call of a function of the kernel. */
bool traceparse_arguments(const struct event_format *f, size_t long_size, struct arena *arena,
                          struct span *format, struct expr ***args, size_t *nargs);

#endif

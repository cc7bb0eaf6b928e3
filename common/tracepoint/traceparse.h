/* Parses the arguments of a tracepoint's print format. */
#ifndef TRACEPOINT_TRACEPARSE_H
#define TRACEPOINT_TRACEPARSE_H

#include "common/tracepoint/traceexpr.h"

/* Parse the text after "print fmt: " in a format: *format is the format string with its escapes
 * replaced, args[0 .. *nargs - 1] are its arguments. All are in the arena, and take some multiple
 * of the text's size; fields are borrowed from f. Return false if the text has an unsupported part,
 * such as a call of a kernel function. */
bool traceparse_arguments(const struct event_format *f, size_t long_size, struct arena *arena,
                          struct span *format, struct expr ***args, size_t *nargs);

#endif

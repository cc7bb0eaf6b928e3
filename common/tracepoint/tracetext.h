/* What a tracepoint's print format prints of a payload as text. */
#ifndef TRACEPOINT_TRACETEXT_H
#define TRACEPOINT_TRACETEXT_H

#include "common/base/text.h"
#include "common/tracepoint/traceexpr.h"
#include "common/tracepoint/tracing.h"

/* Appends what %s prints for an expression: a string, an array of characters up to its NUL, the
 * text at an address (tracing_string, else the address as perf prints it), names of flags. */
void tracetext_print(struct text *out, const struct tracing *t, const struct expr *e,
                     struct span raw);

/* Appends the fields of a payload after the common ones, as perf prints those of a format that it
 * cannot evaluate: "name=value name=value". */
void tracetext_fields(struct text *out, const struct event_format *f, struct span raw);

/* Appends bits that are set, as ranges of their numbers: "0-3,8". */
void tracetext_bits(struct text *out, struct span bytes, uint64_t bits);

/* As printf; what exceeds 99 bytes is cut. */
void tracetext_format(struct text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

/* Prints the raw payload of a tracepoint's sample as text, by the event's print format. */
#ifndef TRACEPOINT_TRACEPRINT_H
#define TRACEPOINT_TRACEPRINT_H

#include "common/base/text.h"
#include "common/tracepoint/tracing.h"

struct traceprint;

/* Return a new printer for the events in t, which is borrowed. */
struct traceprint *traceprint_new(const struct tracing *t);

/* Append the text of `raw`, a payload of the event with format `f` in the tracing data. An argument
 * that depends on a kernel variable, such as jiffies, is printed as "?". If the print format has
 * other unsupported parts, such as a call of a kernel function, print the fields, "name=value
 * name=value". If the payload is too short for a field, the field is 0 or empty. The text may
 * contain any byte of the payload's strings, and newlines. It ends after the conversion that makes
 * it 64 KiB or longer. */
void traceprint_event(struct traceprint *p, const struct event_format *f, struct span raw,
                      struct text *out);

void traceprint_free(struct traceprint *p);

#endif

/* Prints the raw payload of a tracepoint's sample as text, as the event's print format says. */
#ifndef TRACEPOINT_TRACEPRINT_H
#define TRACEPOINT_TRACEPRINT_H

#include "common/base/text.h"
#include "common/tracepoint/tracing.h"

struct traceprint;

/* Return a new printer of the events in t, which is borrowed. */
struct traceprint *traceprint_new(const struct tracing *t);

/* Append the text of a payload, `raw`, of an event whose format is in that tracing data. "?" is
 * printed for an argument that depends on a variable of the kernel, such as jiffies. An event whose
 * print format has something else that we do not evaluate, such as a call of a function of the
 * kernel, is printed as its fields, "name=value name=value".
 * Where the payload is too short for a field, the field counts as 0 or empty. The text may hold any
 * byte of the payload's strings, and newlines. It ends after the conversion that makes it 64 KiB or
 * longer. */
void traceprint_event(struct traceprint *p, const struct event_format *f, struct span raw,
                      struct text *out);

void traceprint_free(struct traceprint *p);

#endif

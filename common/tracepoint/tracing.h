/* The tracing data of a perf.data file: the formats of the recorded tracepoints, and the texts to
 * which tracepoints refer by address. */
#ifndef TRACEPOINT_TRACING_H
#define TRACEPOINT_TRACING_H

#include "common/base/vec.h"
#include "common/tracepoint/eventformat.h"

struct tracing_string {
    uint64_t addr;
    struct span text;
};

/* {0} is empty. Only the functions change it. */
struct tracing {
    VEC(struct event_format) formats;   /* sorted by id */
    VEC(struct tracing_string) strings; /* sorted by address */
    size_t long_size;                   /* of the recorded machine: 4 or 8 */
    struct arena arena;
};

/* Read the bytes of feature 1 (HEADER_TRACING_DATA), or those after a record of type 66; padding
 * after them is ignored. They are borrowed as long as t is used. Call this once for each t. Return
 * NULL, or what is wrong: then what was read before it can be used. */
const char *tracing_read(struct tracing *t, struct span data);

/* Return the format of the event with this id, its attribute's config; NULL if there is none. If
 * several have the same id, return any of them. Valid until tracing_free. */
const struct event_format *tracing_find(const struct tracing *t, uint64_t id);

/* Find the text at an address of the recorded kernel, in its list of constant strings
 * (/sys/kernel/tracing/printk_formats). Return false if it is not listed. */
bool tracing_string(const struct tracing *t, uint64_t addr, struct span *text);

void tracing_free(struct tracing *t);

#endif

/* The tracing data of a perf.data file: the formats of the tracepoints that it holds samples of,
 * and the texts that tracepoints refer to by address. */
#ifndef TRACEPOINT_TRACING_H
#define TRACEPOINT_TRACING_H

#include "common/base/vec.h"
#include "common/tracepoint/eventformat.h"

struct tracing_string {
    uint64_t addr;
    struct span text;
};

/* {0} knows no format. Only the functions change it. */
struct tracing {
    VEC(struct event_format) formats;   /* by id */
    VEC(struct tracing_string) strings; /* by address */
    size_t long_size;                   /* of the machine of the recording: 4 or 8 */
    struct arena arena;
};

/* Read the bytes of feature 1 (HEADER_TRACING_DATA), or what follows a record of type 66; padding
 * after them is ignored. Borrows them for as long as t is used. NULL, or what is wrong; what was
 * read until there can be used. Call it once for a t. */
const char *tracing_read(struct tracing *t, struct span data);

/* Return the format of the event with this id, its attribute's config, or NULL. If several have the
 * same id, return any of them. It is valid until tracing_free. */
const struct event_format *tracing_find(const struct tracing *t, uint64_t id);

/* The text at an address of the kernel that was recorded, from its list of constant strings
 * (/sys/kernel/tracing/printk_formats). Return false if it is not listed. */
bool tracing_string(const struct tracing *t, uint64_t addr, struct span *text);

void tracing_free(struct tracing *t);

#endif

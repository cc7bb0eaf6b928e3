/* Headers by example. As a rule a header differs from an earlier one of its thread in digits only:
 * the time, the CPU, the period. What each field is follows from where digits stand, not from which
 * they are, so such a line is read as the earlier one was. */
#ifndef STACK_PERFHEADERS_H
#define STACK_PERFHEADERS_H

#include <stdint.h>

#include "common/stack/perfline.h"

/* A field's place in the line. */
struct perf_place {
    uint8_t at, len;
};

/* One example, in two cache lines. */
struct perf_example {
    struct perf_place comm, pid, tid, cpu, time, period, event, rest;
    uint8_t len; /* of the text; 0: there is none */
    char text[111];
};

/* {0} is an empty one. Open only so that its size is known. */
struct perf_headers {
    struct perf_example examples[256];
};

/* The fields of the header that the text begins with, if it is a whole line that reads as an
 * earlier one: *h is filled, and the line's length returned. Else 0. */
size_t perf_headers_find(const struct perf_headers *t, struct span text, struct perf_header *h);

/* Makes a header that perf_line_parse has taken apart an example, in place of another where there
 * are too many; one that is very long is not worth it. Copies. */
void perf_headers_add(struct perf_headers *t, struct span line, const struct perf_header *h);

#endif

/* Headers by example. As a rule a header differs from an earlier one in digits only: the time, the
 * CPU, the period. What each field is follows from where digits stand, not from which they are, so
 * such a line is read as the earlier one was. */
#ifndef STACK_PERFHEADERS_H
#define STACK_PERFHEADERS_H

#include "common/stack/perfline.h"

enum {
    PERF_HEADERS = 256,       /* so many are remembered */
    PERF_HEADER_LONGEST = 512 /* bytes of a line that is worth it */
};

struct perf_known {
    char *text;
    size_t cap;
    struct span line;          /* in `text` */
    struct perf_header header; /* of `line` */
};

/* {0} is an empty one. */
struct perf_headers {
    struct perf_known known[PERF_HEADERS];
    struct perf_known longer; /* the last of the longer lines */
};

/* The header that was kept and differs from the line in digits only, *h filled with the line's
 * fields; NULL where there is none. */
struct perf_known *perf_headers_find(struct perf_headers *t, struct span line,
                                     struct perf_header *h);

/* Keeps a header and its fields. `known` is what perf_headers_find gave for it. Returns the line,
 * and *h then borrows from it. Both are good until the next call. The byte behind the line is a
 * newline, here and there. */
struct span perf_headers_keep(struct perf_headers *t, struct perf_known *known, struct span line,
                              struct perf_header *h);

void perf_headers_free(struct perf_headers *t);

#endif

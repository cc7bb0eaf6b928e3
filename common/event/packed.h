/* The records of a recording that perf record -z compressed: in PERF_RECORD_COMPRESSED and
 * PERF_RECORD_COMPRESSED2 records, whose contents are one stream of zstd together. A record of the
 * stream may begin in one of them and end in the next. The zstd program decompresses it, after the
 * last of them. */
#ifndef EVENT_PACKED_H
#define EVENT_PACKED_H

#include "common/base/lines.h"

/* {0} has none. */
struct packed {
    bool any;
    struct lines lines; /* after packed_read(): the decompressed records */

    /* private */
    int fd; /* a temporary file with the stream, if there is any */
};

/* Add what is in a record of either type. NULL, or what is wrong. */
const char *packed_add(struct packed *p, struct span record);

/* Decompress what was added. NULL, or why that cannot be done. Of a stream that is damaged
 * p->lines has what comes before. */
const char *packed_read(struct packed *p);

void packed_free(struct packed *p);

#endif

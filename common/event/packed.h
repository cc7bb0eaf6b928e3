/* The records of a recording that perf record -z compressed: in PERF_RECORD_COMPRESSED and
 * PERF_RECORD_COMPRESSED2 records, whose contents are one stream of zstd together. A record of the
 * stream may begin in one of them and end in the next. The zstd program decompresses it, after the
 * last of them, while it is read. */
#ifndef EVENT_PACKED_H
#define EVENT_PACKED_H

#include <sys/types.h>

#include "common/base/lines.h"
#include "common/event/zstdframes.h"

/* A stream is read up to PACKED_START bytes, and PACKED_TIMES bytes more for each byte that is
 * compressed, but no more than PACKED_RECORD for each compressed record. Of samples with 64 KB of the
 * same stack perf makes a 2,800th, and a record of perf's has at most a ring buffer. */
enum { PACKED_START = 64 << 20, PACKED_TIMES = 4096, PACKED_RECORD = 64 << 20 };

/* {0} has none. */
struct packed {
    bool any;
    /* What is wrong first, NULL: nothing is; and with which compressed record of the input, by its
     * offset. */
    const char *problem;
    uint64_t problem_at;
    uint64_t most;      /* bytes that may be read of the stream */
    struct lines lines; /* after packed_start(): the decompressed records */

    /* private */
    bool opened;
    int fd; /* a temporary file with the stream */
    pid_t tool;
    uint64_t first, last; /* offsets of the first and the last compressed record */
    struct zstdframes frames;
    char text[160]; /* of the problem */
};

/* Add what is in a record of either type, which is at that offset of the input. After a problem it
 * is ignored. */
void packed_add(struct packed *p, struct span record, uint64_t offset);

/* Begin to decompress what was added; of a stream that is damaged p->lines has what comes before the
 * damage. False, after a problem, if there is nothing to read. */
bool packed_start(struct packed *p);

/* End it after `read` bytes. `more`: they were not all, and no more may be read. */
void packed_end(struct packed *p, uint64_t read, bool more);

void packed_free(struct packed *p);

#endif

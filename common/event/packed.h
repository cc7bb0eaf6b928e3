/* The records that perf record -z compressed: PERF_RECORD_COMPRESSED and PERF_RECORD_COMPRESSED2
 * records, whose contents form one zstd stream. A record in the stream may begin in one of them and
 * end in the next. The zstd program decompresses the stream after the last of them was added. */
#ifndef EVENT_PACKED_H
#define EVENT_PACKED_H

#include <sys/types.h>

#include "common/base/lines.h"
#include "common/event/zstdframes.h"

/* Limits of the decompressed stream: PACKED_START bytes, plus PACKED_TIMES bytes for each
 * compressed byte, but at most PACKED_RECORD for each compressed record. perf compresses samples
 * with 64 KB of the same stack to a 2,800th, and one of its records has at most the size of a ring
 * buffer. */
enum { PACKED_START = 64 << 20, PACKED_TIMES = 4096, PACKED_RECORD = 64 << 20 };

/* {0} is empty. */
struct packed {
    bool any;
    /* The first problem (NULL: none), and the input's offset of the compressed record with it. */
    const char *problem;
    uint64_t problem_at;
    uint64_t most;      /* limit of decompressed bytes */
    struct lines lines; /* after packed_start(): the decompressed records */

    /* private */
    bool opened;
    int fd; /* a temporary file with the stream */
    pid_t tool;
    uint64_t first, last; /* offsets of the first and last compressed records */
    struct zstdframes frames;
    char text[160]; /* of the problem */
};

/* Add the contents of a record of either type, at this offset of the input. Do nothing after a
 * problem. */
void packed_add(struct packed *p, struct span record, uint64_t offset);

/* Start decompressing. If the stream is damaged, p->lines has what precedes the damage. Return
 * false, after a problem, if there is nothing to read. */
bool packed_start(struct packed *p);

/* End decompressing after `read` bytes. `more`: there are more bytes, but the limit is reached. */
void packed_end(struct packed *p, uint64_t read, bool more);

void packed_free(struct packed *p);

#endif

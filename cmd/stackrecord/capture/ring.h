/* A ring buffer that the kernel fills with the records of one CPU, and we empty. */
#ifndef STACKRECORD_RING_H
#define STACKRECORD_RING_H

#include <stdint.h>

#include "common/base/span.h"

struct ring {
    /* private */
    char *control; /* struct perf_event_mmap_page, a page long; the data follows it */
    char *data;
    uint64_t size;           /* of the data: a power of two */
    uint64_t start, at, end; /* of this round: positions of its first and next record, its end */
    char *whole;             /* a copy of a record that wraps, in one piece */
    size_t mapped;           /* bytes */
};

/* Map the ring buffer of the counter, whose data is `size` bytes: a power of two, and at least a
 * page. Return false with errno where the kernel refuses. */
bool ring_map(struct ring *r, int fd, uint64_t size);

/* Begin a round: ring_next gives what was written up to now. Return how many bytes that is. */
uint64_t ring_begin(struct ring *r);

/* The next record of the round; its bytes are good until the next call and ring_end. Return false
 * if there is none, or if the buffer holds nonsense, which no kernel writes. */
bool ring_next(struct ring *r, struct span *bytes);

/* Go back to the start of the round, which is to be read again. */
void ring_rewind(struct ring *r);

/* End a round: the kernel may write over the records that ring_next gave. */
void ring_end(struct ring *r);

void ring_unmap(struct ring *r);

#endif

/* A ring buffer that the kernel fills with the records of one CPU, and that we empty. */
#ifndef STACKRECORD_RING_H
#define STACKRECORD_RING_H

#include <stdint.h>

#include "common/base/span.h"

struct ring {
    /* private */
    char *control; /* struct perf_event_mmap_page, a page long; the data follow it */
    char *data;
    uint64_t size; /* of the data, in bytes: a power of two */
    /* Positions of the current batch: of its first record, of the next record, and of its end. */
    uint64_t start, at, end;
    char *whole;   /* a copy of a record that wraps around the end of the buffer */
    size_t mapped; /* bytes that are mapped at `control` */
};

/* Map the ring buffer of the counter, with `size` bytes of data: a power of two, and at least a
 * page. Return false with errno if the kernel refuses. */
bool ring_map(struct ring *r, int fd, uint64_t size);

/* Begin a batch: the records that the kernel has written up to now. Return their size in bytes. */
uint64_t ring_begin(struct ring *r);

/* Set *bytes to the next record of the batch, valid until the next call of ring_next() or
 * ring_end(). Return false if there is none, or if the buffer contains nonsense, which no kernel
 * writes. */
bool ring_next(struct ring *r, struct span *bytes);

/* Go back to the start of the batch, to read it again. */
void ring_rewind(struct ring *r);

/* Let the kernel overwrite the records of the batch that were read: it now starts after them. Call
 * this from time to time in a batch whose records take long to process. */
void ring_release(struct ring *r);

/* End the batch: the kernel may now overwrite all its records. */
void ring_end(struct ring *r);

void ring_unmap(struct ring *r);

#endif

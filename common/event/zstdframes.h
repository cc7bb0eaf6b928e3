/* Follows the frames and blocks of a zstd stream as its bytes arrive, without decompressing them,
 * to detect where a stream is not zstd, and where it may end. */
#ifndef EVENT_ZSTDFRAMES_H
#define EVENT_ZSTDFRAMES_H

#include <stdint.h>

#include "common/base/span.h"

enum { ZSTDFRAMES_HEADER_MAX = 18 };

/* {0} is at the start of a stream. */
struct zstdframes {
    uint64_t whole; /* bytes up to the end of the last complete block or frame */
    enum { ZSTDFRAMES_FRAME, ZSTDFRAMES_BLOCK } after; /* what may follow `whole` */

    /* private */
    unsigned char header[ZSTDFRAMES_HEADER_MAX];
    size_t have;      /* bytes of the header so far */
    uint64_t size;    /* bytes so far */
    uint64_t skipped; /* bytes to skip before the next header */
    bool checksum;    /* the frame ends with a checksum */
    bool in_frame;
};

/* Add bytes. Return false if the stream is not zstd: then add nothing more. */
bool zstdframes_add(struct zstdframes *z, struct span bytes);

#endif

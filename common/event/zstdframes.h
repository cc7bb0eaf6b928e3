/* Follows the frames and blocks of a zstd stream as its bytes come, without decompressing them. So it
 * is known where a stream is no zstd, and where it may end. */
#ifndef EVENT_ZSTDFRAMES_H
#define EVENT_ZSTDFRAMES_H

#include <stdint.h>

#include "common/base/span.h"

enum { ZSTDFRAMES_HEADER_MAX = 18 };

/* {0} stands at the start of a stream. */
struct zstdframes {
    uint64_t whole; /* bytes up to the end of the last block or frame that is whole */
    enum { ZSTDFRAMES_FRAME, ZSTDFRAMES_BLOCK } after; /* what may come there */

    /* private */
    unsigned char header[ZSTDFRAMES_HEADER_MAX];
    size_t have;      /* bytes of the header */
    uint64_t size;    /* bytes so far */
    uint64_t skipped; /* bytes that are still to come before the next header */
    bool checksum;    /* the frame ends with one */
    bool in_frame;
};

/* Go on with these bytes. False if they cannot be zstd: then nothing more is to be added. */
bool zstdframes_add(struct zstdframes *z, struct span bytes);

#endif

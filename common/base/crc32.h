/* The CRC-32 of IEEE 802.3, as used in gzip's format and .gnu_debuglink. */
#ifndef BASE_CRC32_H
#define BASE_CRC32_H

#include <stdint.h>

#include "common/base/span.h"

struct crc32 {
    uint32_t table[256]; /* indexed by the next byte */
    uint32_t rest;       /* remainder of the division; crc32_value() inverts it */
};

/* Initialize, with no bytes. */
void crc32_start(struct crc32 *c);

void crc32_add(struct crc32 *c, struct span bytes);

/* Return the CRC of all bytes added. */
static inline uint32_t
crc32_value(const struct crc32 *c)
{
    return ~c->rest;
}

#endif

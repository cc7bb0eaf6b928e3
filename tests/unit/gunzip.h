/* Checks whether a gzip stream, as written by deflate.c, decompresses to the expected bytes. This
 * uses the program's own zlib decompressor: zlib streams have another header and another checksum
 * around the same blocks. */
#ifndef UNIT_GUNZIP_H
#define UNIT_GUNZIP_H

#include <stdlib.h>

#include "common/base/crc32.h"
#include "common/base/inflate.h"
#include "common/base/text.h"

enum { GZIP_HEAD = 10, GZIP_END = 8 };

static inline uint32_t
gunzip_u32(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

static inline bool
gunzips_to(struct span packed, struct span wanted)
{
    struct crc32 crc;
    struct text zlib = {0};
    uint32_t a = 1, b = 0;
    char *unpacked = malloc(wanted.len + 1);
    crc32_start(&crc);
    crc32_add(&crc, wanted);
    if (unpacked == NULL || packed.len < GZIP_HEAD + GZIP_END ||
        !span_starts(packed, SPAN("\x1f\x8b\x08\0\0\0\0\0\0\xff")))
        abort();
    for (size_t i = 0; i < wanted.len; i++) { /* RFC 1950 */
        a = (a + (unsigned char)wanted.ptr[i]) % 65521;
        b = (b + a) % 65521;
    }
    const char sum[] = {(char)(b >> 8), (char)b, (char)(a >> 8), (char)a};
    TEXT_ADD(&zlib, SPAN("\x78\x9c"),
             span_head(span_from(packed, GZIP_HEAD), packed.len - GZIP_HEAD - GZIP_END),
             span_of(sum, sizeof sum));
    const char *end = packed.ptr + packed.len - GZIP_END;
    bool same = inflate_zlib(text_span(&zlib), unpacked, wanted.len, NULL) &&
                span_eq(span_of(unpacked, wanted.len), wanted) &&
                gunzip_u32(end) == crc32_value(&crc) && gunzip_u32(end + 4) == wanted.len;
    free(zlib.ptr);
    free(unpacked);
    return same;
}

#endif

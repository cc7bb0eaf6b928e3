/* Decompresses zlib's format, as in the compressed sections of ELF files. */
#ifndef BASE_INFLATE_H
#define BASE_INFLATE_H

#include "common/base/patience.h"
#include "common/base/span.h"

/* A byte of compressed data makes at most this many bytes: a match of 258 bytes takes two bits. */
enum { INFLATE_RATIO = 1032 };

/* Decompress a stream of zlib's format into exactly n bytes at *out. Return false, with the content
 * of *out undefined, if the stream is damaged or decompresses to another size, has more blocks
 * without output than compressors make (1,000, and 4 for each byte of output), or `patience` is
 * over (NULL: no limit). */
bool inflate_zlib(struct span in, char *out, size_t n, struct patience *patience);

#endif

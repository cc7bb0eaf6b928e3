/* Decompresses zlib's format, as in the compressed sections of ELF files. */
#ifndef BASE_INFLATE_H
#define BASE_INFLATE_H

#include "common/base/patience.h"
#include "common/base/span.h"

/* No byte of compressed data stands for more bytes than this: a match of 258 bytes takes two bits.
 */
enum { INFLATE_RATIO = 1032 };

/* Decompress a stream of zlib's format into exactly n bytes at *out. Return false if the stream is
 * damaged, or of another size, or has thousands of blocks without output, as no compressor makes, or
 * the patience, which may be NULL, is over; what is at *out is then undefined. */
bool inflate_zlib(struct span in, char *out, size_t n, struct patience *patience);

#endif

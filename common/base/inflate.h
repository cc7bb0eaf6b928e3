/* Decompresses zlib's format, as used in the compressed sections of ELF files. */
#ifndef BASE_INFLATE_H
#define BASE_INFLATE_H

#include "common/base/patience.h"
#include "common/base/span.h"

/* Maximum bytes of output for a byte of compressed data: a match of 258 bytes takes two bits. */
enum { INFLATE_RATIO = 1032 };

/* Decompress a zlib stream into exactly n bytes at *out. Return false, with the contents of *out
 * undefined, if the stream is damaged, decompresses to another size, or has more blocks without
 * output than compressors make (1,000, and 4 for each byte of output), or if `patience` is over
 * (NULL: no limit). */
bool inflate_zlib(struct span in, char *out, size_t n, struct patience *patience);

#endif

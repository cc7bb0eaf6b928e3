/* Compresses into gzip's format (RFC 1952), which holds deflate's (RFC 1951). */
#ifndef BASE_DEFLATE_H
#define BASE_DEFLATE_H

#include "common/base/text.h"

struct deflate;

/* Start a stream, which is appended to *out. The caller may take what is there, and empty *out,
 * between the calls. The same bytes give the same stream, however they are divided among calls. */
struct deflate *deflate_start(struct text *out);

/* Append bytes; they are copied. */
void deflate_add(struct deflate *z, struct span bytes);

/* Write the rest of the stream, and free *z. */
void deflate_finish(struct deflate *z);

#endif

/* The text of a script, with an index from V8's lines and columns to offsets. */
#ifndef SOURCEMAP_JSTEXT_H
#define SOURCEMAP_JSTEXT_H

#include <stdint.h>

#include "common/base/span.h"

/* Lines and columns count from 0, columns in UTF-16 code units. */
struct jstext {
    struct span text;     /* without a byte order mark, which node does not give to V8; borrowed */
    struct jsmark *marks; /* one for each few kilobytes of the text */
    size_t count;
};

/* Index a text of less than 4 GB, which is borrowed. */
void jstext_init(struct jstext *t, struct span text);

/* Set *offset to the offset of a position. Return false if the text has no character there. */
bool jstext_offset(const struct jstext *t, uint32_t line, uint32_t column, size_t *offset);

/* Set the line and column of an offset, which is within the text. */
void jstext_position(const struct jstext *t, size_t offset, uint32_t *line, uint32_t *column);

/* Free the index. */
void jstext_free(struct jstext *t);

#endif

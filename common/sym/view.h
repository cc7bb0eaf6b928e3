/* A part of a file's content, which is read through a buffer. */
#ifndef SYM_VIEW_H
#define SYM_VIEW_H

#include "common/sym/content.h"

/* {0} is empty. */
struct view {
    struct content *content; /* borrowed; NULL: `memory` is all */
    struct span memory;
    uint64_t start, size; /* of the part */
    size_t block;         /* the number of bytes that are read at once */

    /* private */
    char *buffer;
    size_t cap, len;
    uint64_t at; /* of the buffer, in the part */
};

/* For tables that are read from their beginning to their end, and for texts and entries at any
 * offset. A part that is not larger than a block is read once. */
enum { VIEW_TABLE = 1 << 16, VIEW_ENTRIES = 1 << 12 };

/* The view of a part; empty if that lies partly outside of the content. */
struct view view_over(struct content *c, uint64_t start, uint64_t size, size_t block);

/* The view of bytes in memory, which are borrowed. */
struct view view_of(struct span bytes);

/* At least n bytes from an offset on; fewer if the part ends before, and none if they cannot be
 * read. Valid until the next call. */
struct span view_at(struct view *w, uint64_t offset, size_t n);

/* Copies n bytes at an offset. False where there are fewer. */
bool view_read(struct view *w, uint64_t offset, void *to, size_t n);

/* The longest text that view_string() gives: longer ones are cut. Hostile files have many that
 * overlap. */
enum { VIEW_STRING_MAX = 4096 };

/* The text at an offset, up to a NUL byte or the end of the part; "" outside of it. Valid until the
 * next call. */
struct span view_string(struct view *w, uint64_t offset);

void view_free(struct view *w);

#endif

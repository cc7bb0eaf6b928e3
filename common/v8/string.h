/* V8's strings: sequential, cons, sliced, thin, external. A character has one byte (Latin-1) or two
 * (UTF-16). Reading is bounded, whatever the objects contain. */
#ifndef V8_STRING_H
#define V8_STRING_H

#include "common/base/text.h"
#include "common/v8/heap.h"

/* Consecutive characters in memory. */
struct string_piece {
    uint64_t addr;
    uint32_t count;
    bool wide; /* two bytes each */
};

/* {0} is empty. */
struct string_pieces {
    VEC(struct string_piece) of;
    uint64_t count; /* characters in all */
};

enum { STRING_DEPTH = 20 };

/* Set *p to the pieces of the string's first `most` characters. V8_BAD: its parts are nested deeper
 * than STRING_DEPTH levels, or its characters cannot be found. */
enum v8status string_pieces(struct heap *h, uint64_t word, uint32_t most, struct string_pieces *p);

void string_pieces_free(struct string_pieces *p);

/* Append the first characters of the string as UTF-8, until `most` bytes, or up to three more, are
 * appended. A surrogate without its pair becomes U+FFFD; NUL becomes a blank, as V8 prints it. */
enum v8status string_text(struct heap *h, uint64_t word, uint32_t most, struct text *to);

/* Copy up to `most` characters of the string, from an offset on, and set *n to their number. Those
 * above 127 become NULs. */
enum v8status string_characters(struct heap *h, uint64_t word, uint32_t offset, char *to,
                                size_t most, size_t *n);

/* Return true if this is the type of a string. */
static inline bool
string_is(const struct heap *h, uint16_t type)
{
    return type < h->layout->string_types;
}

#endif

/* UTF-8 (RFC 3629). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

#include "common/base/text.h"

#define UTF8_BAD UINT32_MAX

/* Decode the character at the start of s, which is not empty, and set *len to its bytes. For a byte
 * that does not start valid UTF-8 (overlong forms, surrogates and values above U+10FFFF are
 * invalid) return UTF8_BAD and set *len to 1. */
uint32_t utf8_decode(struct span s, size_t *len);

/* Write a character, which is not a surrogate and at most U+10FFFF. Return its number of bytes: 1
 * to 4. */
size_t utf8_encode(char *to, uint32_t c);

/* Return the number of characters in s; an invalid byte counts as one. */
size_t utf8_count(struct span s);

/* Return the number of bytes of the first n characters of s; s.len if it has fewer. */
size_t utf8_offset(struct span s, size_t n);

/* Return true for a character that utf8_mask() replaces, and for UTF8_BAD. */
bool utf8_is_masked(uint32_t c);

/* Return true for an invisible character that changes the direction of displayed text. */
bool utf8_is_direction(uint32_t c);

/* Mask a name as all programs print it: replace by "?" each byte of what could change the state of
 * a terminal, begin a line, or display a name as another: control characters (C0 except tabs, DEL,
 * C1), line and paragraph separators, utf8_is_direction(), and bytes that are invalid as UTF-8,
 * which other encodings may read as C1. */
void utf8_mask(char *text, size_t len);

/* As utf8_mask, without changing s: return s itself if there is nothing to replace, else a copy,
 * valid until `copy` is used again. */
struct span utf8_masked(struct text *copy, struct span s);

#endif

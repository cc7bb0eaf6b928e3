/* UTF-8 (RFC 3629). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

#include "common/base/text.h"

#define UTF8_BAD UINT32_MAX

/* Decode the character at the start of s, which is not empty; *len is how many bytes it takes. A
 * byte that does not start valid UTF-8 (overlong forms, surrogates and values above U+10FFFF are
 * invalid) gives UTF8_BAD and length 1. */
uint32_t utf8_decode(struct span s, size_t *len);

/* Write a character, which is no surrogate and at most U+10FFFF. Return how many bytes it takes: 1
 * to 4. */
size_t utf8_encode(char *to, uint32_t c);

/* Return how many characters s holds; an invalid byte counts as one. */
size_t utf8_count(struct span s);

/* Return how many bytes the first n characters of s take; s.len if it holds fewer. */
size_t utf8_offset(struct span s, size_t n);

/* Return true for a character that utf8_mask() replaces, and UTF8_BAD. */
bool utf8_is_masked(uint32_t c);

/* Return true for a character that shows nothing itself, and changes the direction in which others
 * are shown. */
bool utf8_is_direction(uint32_t c);

/* Names are printed so by all programs. Replaces by "?" each byte of what could change the state of
 * a terminal, begin a line, or show a name as another: control characters (C0 but tabs, DEL, C1),
 * the separators of lines and paragraphs, utf8_is_direction(), and bytes that are invalid as UTF-8,
 * which other encodings may read as C1. */
void utf8_mask(char *text, size_t len);

/* The same without changing s: s itself if there is nothing to replace, else a copy, which is good
 * until `copy` is used again. */
struct span utf8_masked(struct text *copy, struct span s);

#endif

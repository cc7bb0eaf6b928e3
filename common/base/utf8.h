/* UTF-8 (RFC 3629). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

#include "common/base/span.h"

#define UTF8_BAD UINT32_MAX

/* Decodes the character at the start of s, which is not empty; *len is how many bytes it takes. A
 * byte that does not start valid UTF-8 (overlong forms, surrogates and values above U+10FFFF are
 * invalid) gives UTF8_BAD and length 1. */
uint32_t utf8_decode(struct span s, size_t *len);

/* Writes a character, which is no surrogate and at most U+10FFFF. Returns how many bytes it takes:
 * 1 to 4. */
size_t utf8_encode(char *to, uint32_t c);

/* How many characters s holds; an invalid byte counts as one. */
size_t utf8_count(struct span s);

/* How many bytes the first n characters of s take; s.len if it holds fewer. */
size_t utf8_offset(struct span s, size_t n);

/* Replaces by "?" what could change the state of a terminal: the bytes of control characters (C0,
 * DEL and C1), and bytes that are invalid as UTF-8, which other encodings may read as C1. */
void utf8_mask(char *text, size_t len);

#endif

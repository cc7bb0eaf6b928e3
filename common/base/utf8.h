/* UTF-8 (RFC 3629). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

#include "common/base/span.h"

#define UTF8_BAD UINT32_MAX

/* The character at the start of s, which is not empty, and in *len how many bytes it takes. Bytes
 * that are no UTF-8 (overlong forms, surrogates and values past U+10FFFF among them) give UTF8_BAD,
 * one byte. */
uint32_t utf8_decode(struct span s, size_t *len);

/* How many characters s holds; a bad byte counts as one. */
size_t utf8_count(struct span s);

/* How many bytes the first n characters of s take; s.len where it holds fewer. */
size_t utf8_offset(struct span s, size_t n);

/* Replaces by "?" what could change the state of a terminal: the bytes of control characters (C0, DEL
 * and C1), and those that are no UTF-8, which other encodings may read as C1. */
void utf8_mask(char *text, size_t len);

#endif

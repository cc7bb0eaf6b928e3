/* Base64 (RFC 4648), and the numbers in the mappings of a source map, which are made of its
 * digits. */
#ifndef SOURCEMAP_VLQ_H
#define SOURCEMAP_VLQ_H

#include <stdint.h>

#include "common/base/text.h"

/* Take a number off the beginning of *s. Return false if there is none: a character that is no
 * digit of base64, the end of the text, or a number of more than 32 bits. */
bool vlq_take(struct span *s, int32_t *value);

/* Append the bytes that the base64 text stands for. Return false if the text is not base64; `to` is
 * then of no use. */
bool base64_decode(struct span text, struct text *to);

#endif

/* Base64 (RFC 4648), and the numbers in the mappings of a source map, which consist of base64
 * digits. */
#ifndef SOURCEMAP_VLQ_H
#define SOURCEMAP_VLQ_H

#include <stdint.h>

#include "common/base/text.h"

/* Take a number off the beginning of *s. Return false at a character that is not a base64 digit, at
 * the end of the text, or at a number of more than 32 bits. */
bool vlq_take(struct span *s, int32_t *value);

/* Append the decoded bytes of base64 text. Return false if the text is not base64; the contents of
 * `to` are then undefined. */
bool base64_decode(struct span text, struct text *to);

#endif

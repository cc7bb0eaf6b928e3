/* Punycode (RFC 3492): text of any language in ASCII letters and digits. */
#ifndef DEMANGLE_PUNYCODE_H
#define DEMANGLE_PUNYCODE_H

#include "common/base/text.h"

/* Longer texts are refused, since decoding takes quadratic time. */
enum { PUNYCODE_MAX = 512 };

/* Append the text as UTF-8: `ascii` is its ASCII characters, `code` says which others to insert
 * where. Return false, with *out unchanged, if `code` is not valid or the text longer than
 * PUNYCODE_MAX characters. */
bool punycode_add(struct text *out, struct span ascii, struct span code);

#endif

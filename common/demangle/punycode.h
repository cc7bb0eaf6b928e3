/* Punycode (RFC 3492): text of any language in ASCII letters and digits. */
#ifndef DEMANGLE_PUNYCODE_H
#define DEMANGLE_PUNYCODE_H

#include "common/base/text.h"

/* Longer texts are rejected, since decoding takes quadratic time. */
enum { PUNYCODE_MAX = 512 };

/* Append the text as UTF-8. `ascii` has its ASCII characters; `code` tells which others to insert,
 * and where. Return false, with *out unchanged, if `code` is invalid or the text is longer than
 * PUNYCODE_MAX characters. */
bool punycode_add(struct text *out, struct span ascii, struct span code);

#endif

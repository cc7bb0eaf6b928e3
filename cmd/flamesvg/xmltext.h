/* Writes XML 1.0 (https://www.w3.org/TR/xml/) from any bytes: those that are not UTF-8, and
 * characters that XML does not allow, become U+FFFD. */
#ifndef FLAMESVG_XMLTEXT_H
#define FLAMESVG_XMLTEXT_H

#include "common/base/mem.h"
#include "common/base/out.h"

struct xmltext {
    struct out *out;
    bool ascii; /* write other characters as references, for encodings other than UTF-8 */
};

/* Write s escaped, for use between tags and inside a quoted value. */
void xmltext_put(const struct xmltext *x, struct span s);

/* Write ' name="value"'. */
void xmltext_attribute(const struct xmltext *x, const char *name, struct span value);

/* Write ' name="12.5"'. The number is written as by number_plain. */
void xmltext_number(const struct xmltext *x, const char *name, double value);

/* Write a comment. "--", which XML does not allow in one, becomes "- -". */
void xmltext_comment(const struct xmltext *x, struct span s);

/* Return a copy of s in the arena with references ("&amp;", "&#233;", "&#xe9;") replaced by their
 * characters. An "&" that does not begin a reference is unchanged. */
struct span xmltext_decode(struct arena *a, struct span s);

#endif

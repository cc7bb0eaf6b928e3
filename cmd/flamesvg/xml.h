/* Text as XML 1.0 (https://www.w3.org/TR/xml/), whatever bytes it holds: what is no UTF-8, and
 * characters that XML cannot hold, become U+FFFD. */
#ifndef FLAMESVG_XML_H
#define FLAMESVG_XML_H

#include "common/base/mem.h"
#include "common/base/out.h"

struct xml {
    struct out *out;
    bool ascii; /* other characters become references, so that any encoding's declaration is true */
};

/* Character data, good between tags and inside of a quoted value. */
void xml_text(const struct xml *x, struct span s);

/* ' name="value"' */
void xml_attribute(const struct xml *x, const char *name, struct span value);

/* ' name="12.5"' */
void xml_number(const struct xml *x, const char *name, double value);

/* A whole comment. "--", which may not stand in one, becomes "- -". */
void xml_comment(const struct xml *x, struct span s);

/* s with its references ("&amp;", "&#233;", "&#xe9;") replaced by what they stand for; an "&" that
 * begins none stays. The result stands in the arena. */
struct span xml_decode(struct arena *a, struct span s);

#endif

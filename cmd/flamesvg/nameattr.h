/* --nameattr: a file with titles, links and other attributes for frames by name. */
#ifndef FLAMESVG_NAMEATTR_H
#define FLAMESVG_NAMEATTR_H

#include "common/base/diag.h"
#include "common/base/intern.h"

struct attr {
    struct span name, value; /* the value is decoded: escape it on output */
    bool link;               /* only for a link, an <a> */
};

struct attrs {
    struct span title; /* empty: use the default */
    bool link;         /* draw an <a>, not a <g>; its xlink:href is in `list` */
    const struct attr *list;
    size_t count;
};

struct nameattr {
    struct intern names;
    struct attrs *sets; /* indexed by number in `names` */
    size_t sets_cap;
    struct arena arena;
};

/* Read the file. Leave out, with a warning, lines and attributes that would not be well-formed,
 * would run a script, would make a browser fetch something, or link to anything but http:, https:,
 * mailto: and relative addresses. Return false, and report an error, if the file cannot be read. */
bool nameattr_read(struct nameattr *n, struct diag *diag, const char *file);

/* Return the attributes of a name, owned by n; NULL if it has none. */
const struct attrs *nameattr_find(const struct nameattr *n, struct span name);

#endif

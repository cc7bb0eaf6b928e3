/* --nameattr: a file with titles, links and other attributes for frames by name. */
#ifndef FLAMESVG_NAMEATTR_H
#define FLAMESVG_NAMEATTR_H

#include "common/base/diag.h"
#include "common/base/intern.h"

struct attr {
    struct span name, value; /* the value is decoded: escape it on output */
    bool link;               /* belongs to a link, an <a>, only */
};

struct attrs {
    struct span title; /* empty: the usual one */
    bool link;         /* draw an <a>, not a <g>; its xlink:href is in `list` */
    const struct attr *list;
    size_t count;
};

struct nameattr {
    struct intern names;
    struct attrs *sets; /* by the name's number */
    size_t sets_cap;
    struct arena arena;
};

/* Read the file. Lines and attributes that would not be well-formed, run script, link to anything
 * but http:, https:, mailto: and relative addresses, or make a browser fetch something are left out
 * and reported as warnings. Returns false, and reports an error, if the file cannot be read. */
bool nameattr_read(struct nameattr *n, struct diag *diag, const char *file);

/* Return the attributes of a name, owned by n; NULL if it has none. */
const struct attrs *nameattr_find(const struct nameattr *n, struct span name);

#endif

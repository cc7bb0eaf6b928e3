/* --nameattr: a file that gives frames of a name titles, links and other attributes. */
#ifndef FLAMESVG_NAMEATTR_H
#define FLAMESVG_NAMEATTR_H

#include "common/base/diag.h"
#include "common/base/intern.h"

struct attr {
    struct span name, value; /* the value without references: to be escaped again */
    bool link;               /* of a link only */
};

struct attrs {
    struct span title; /* empty: the usual one */
    bool link;         /* an <a>, not a <g>; among `list` is then its xlink:href */
    const struct attr *list;
    size_t count;
};

struct nameattr {
    struct intern names;
    struct attrs *sets; /* by the name's number */
    size_t sets_cap;
    struct arena arena;
};

/* Reads the file. Lines and attributes that cannot stand in a picture, or would run script in it,
 * are reported as warnings and left out. False, and an error reported, where it cannot be read. */
bool nameattr_read(struct nameattr *n, struct diag *diag, const char *file);

/* The attributes of a name, or NULL. */
const struct attrs *nameattr_find(const struct nameattr *n, struct span name);

#endif

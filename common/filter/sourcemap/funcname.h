/* Finds the name of a function in its source, from the name and the position that V8 reports. */
#ifndef SOURCEMAP_FUNCNAME_H
#define SOURCEMAP_FUNCNAME_H

#include "common/filter/sourcemap/jstext.h"
#include "common/filter/sourcemap/sourcemap.h"
#include "common/base/text.h"

/* How well the script fits V8's name and position. */
enum funcname {
    FUNCNAME_IMPOSSIBLE, /* no function begins at the position: it is another script */
    FUNCNAME_KEPT,       /* a function may begin there; V8's name was appended */
    FUNCNAME_FOUND       /* the text has the name; the name in the source was appended */
};

/* Append the name of the function that begins at this position of the script. `name` is V8's name,
 * empty for an anonymous function. */
enum funcname funcname_find(struct sourcemap *m, const struct jstext *t, uint32_t line,
                            uint32_t column, struct span name, struct text *to);

#endif

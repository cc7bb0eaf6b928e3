/* The name that a function has in its source, from the name and the place that V8 tells. */
#ifndef SOURCEMAP_FUNCNAME_H
#define SOURCEMAP_FUNCNAME_H

#include "common/filter/sourcemap/jstext.h"
#include "common/filter/sourcemap/sourcemap.h"
#include "common/base/text.h"

/* How well the script that is there fits what V8 has said of the function. */
enum funcname {
    FUNCNAME_IMPOSSIBLE, /* no function begins at its place: it is another script */
    FUNCNAME_KEPT,       /* one may begin there, and V8's name was appended */
    FUNCNAME_FOUND       /* the name is in the text, and was appended as in the source */
};

/* Append the name of the function that begins at this position of the script. `name` is V8's, empty
 * for an anonymous function. */
enum funcname funcname_find(struct sourcemap *m, const struct jstext *t, uint32_t line,
                            uint32_t column, struct span name, struct text *to);

#endif

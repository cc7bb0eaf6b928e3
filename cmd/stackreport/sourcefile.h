/* Source files, by the paths that debug information or a profile gives. Anybody may have written
 * these paths, so only regular files of at most SOURCEFILE_MAX bytes are read. */
#ifndef STACKREPORT_SOURCEFILE_H
#define STACKREPORT_SOURCEFILE_H

#include <time.h>

#include "common/base/intern.h"
#include "common/base/text.h"
#include "common/base/vec.h"

enum { SOURCEFILE_MAX = 16 << 20 };

/* --prefix-map OLD=NEW: NEW replaces OLD at the start of paths. Borrowed. */
struct source_prefix {
    struct span from, to;
};

struct sourcefile {
    const char *why; /* why it could not be read; NULL: it was read */
    struct timespec modified;
    size_t nlines;

    /* private */
    struct text text;
    size_t *lines, cap; /* offset of each line in the text */
};

/* {0} reads files with absolute paths. */
struct sourcefiles {
    const char *folder; /* where to look first; NULL: nowhere. Borrowed */
    VEC(struct source_prefix) prefixes;

    /* private */
    struct intern paths;
    VEC(struct sourcefile) files; /* by number of the path */
    size_t bytes;
};

/* Return the file with this path, which is read at the first call. Valid until the next call. */
const struct sourcefile *sourcefiles_get(struct sourcefiles *s, struct span path);

/* Return a line, numbered from 1, without its newline; empty if there is none. */
struct span sourcefile_line(const struct sourcefile *f, uint64_t number);

void sourcefiles_free(struct sourcefiles *s);

#endif

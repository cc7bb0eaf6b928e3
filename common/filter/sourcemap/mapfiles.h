/* Reads files for source maps. Their names come from frames and scripts, which are not trusted:
 * only regular files are read, each up to its length when it was opened, and all of them within a
 * budget. */
#ifndef SOURCEMAP_MAPFILES_H
#define SOURCEMAP_MAPFILES_H

#include "common/base/diag.h"
#include "common/base/intern.h"
#include "common/base/lines.h"
#include "common/base/regular.h"
#include "common/base/text.h"

enum { MAPFILES_MB = 1024 }; /* the budget: megabytes of all files */

struct mapfiles {
    struct diag *diag;
    uint64_t left; /* bytes that may still be read */
    struct intern useless;
    struct text key;
};

void mapfiles_init(struct mapfiles *f, struct diag *diag);

/* Start to read the lines of an open file, up to its length when it was opened. Return false, after
 * a warning, if that exceeds the rest of the budget. */
bool mapfiles_read(struct mapfiles *f, struct regular_file *file, const char *path,
                   struct lines *lines);

/* Remember that a file is useless: under all of its names, or with a `folder` under its names in
 * that folder. The file may be closed afterwards. */
void mapfiles_set_useless(struct mapfiles *f, const struct regular_file *file, struct span folder);

/* Return true if mapfiles_set_useless() was called for the same file and folder. */
bool mapfiles_is_useless(struct mapfiles *f, const struct regular_file *file, struct span folder);

#endif

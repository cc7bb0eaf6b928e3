/* The folder in which tsx keeps what it made of TypeScript, with the source maps: node runs the
 * text that is kept there, and the script's file has another. */
#ifndef SOURCEMAP_TSXCACHE_H
#define SOURCEMAP_TSXCACHE_H

#include "common/filter/sourcemap/mappedscript.h"

enum { TSXCACHE_VERSIONS = 4 }; /* of one script that are tried */

struct tsxcache {
    const char *folder; /* NULL: that of this user, $TMPDIR/tsx-UID */
    bool was_read;
    struct tsxentry *entries; /* the newest first */
    size_t count, cap;
    struct arena arena;
};

/* Read the newest entries that were made of the script of that absolute path, at most
 * TSXCACHE_VERSIONS, and return how many there are. The caller frees each by mappedscript_free.
 * Those that cannot be read are passed over. The folder is looked through at the first call. */
size_t tsxcache_find(struct tsxcache *c, struct mapfiles *files, struct span path,
                     struct mappedscript *found[static TSXCACHE_VERSIONS]);

#endif

/* The cache folder of tsx, which holds compiled TypeScript with source maps: node runs the text in
 * the cache, which differs from the text in the script's file. */
#ifndef SOURCEMAP_TSXCACHE_H
#define SOURCEMAP_TSXCACHE_H

#include "common/filter/sourcemap/mappedscript.h"

enum { TSXCACHE_VERSIONS = 4 }; /* maximum entries to try for one script */

struct tsxcache {
    const char *folder; /* NULL: this user's, $TMPDIR/tsx-UID */
    bool was_read;
    struct tsxentry *entries; /* newest first */
    size_t count, cap;
    struct arena arena;
};

/* Read the newest entries, at most TSXCACHE_VERSIONS, for the script with this absolute path, and
 * return their number. The caller frees each by mappedscript_free. Entries that cannot be read are
 * skipped. The folder is searched at the first call. */
size_t tsxcache_find(struct tsxcache *c, struct mapfiles *files, struct span path,
                     struct mappedscript *found[static TSXCACHE_VERSIONS]);

#endif

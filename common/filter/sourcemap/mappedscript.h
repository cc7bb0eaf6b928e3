/* A script and its source map, in memory. */
#ifndef SOURCEMAP_MAPPEDSCRIPT_H
#define SOURCEMAP_MAPPEDSCRIPT_H

#include "common/filter/sourcemap/jstext.h"
#include "common/filter/sourcemap/mapfiles.h"
#include "common/filter/sourcemap/sourcemap.h"

enum { MAPPEDSCRIPT_MAX_MB = 64 }; /* larger scripts are not read */

struct mappedscript {
    struct span base; /* path to which the map's sources are relative */
    struct jstext script;
    struct sourcemap map;
    struct lines lines; /* owns the script's text; for an entry of a loader, the map's arena does */
    struct arena arena;
};

/* Read the script at an absolute path and the map that it names. Return NULL unless both are
 * regular files below the folder. Report what is wrong with one that exists. The texts are copied.
 */
struct mappedscript *mappedscript_open(struct mapfiles *files, struct span path,
                                       struct span folder);

/* Read the lines of a file in which a loader keeps a script and its map: {"code": "...", "map":
 * {...}}. The script was loaded from `path`. Return NULL if it is not such a file. */
struct mappedscript *mappedscript_entry(struct lines *lines, struct span path);

/* Return its memory in bytes. */
size_t mappedscript_size(const struct mappedscript *s);

void mappedscript_free(struct mappedscript *s);

#endif

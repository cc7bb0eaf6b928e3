/* A script and its source map, in memory. */
#ifndef SOURCEMAP_MAPPEDSCRIPT_H
#define SOURCEMAP_MAPPEDSCRIPT_H

#include "common/filter/sourcemap/jstext.h"
#include "common/filter/sourcemap/mapfiles.h"
#include "common/filter/sourcemap/sourcemap.h"

enum { MAPPEDSCRIPT_MOST_MB = 64 }; /* larger scripts are not read */

struct mappedscript {
    struct span base; /* the path that the map's sources relate to */
    struct jstext script;
    struct sourcemap map;
    struct lines lines; /* hold the script's text; the map's arena has it if a loader kept both */
    struct arena arena;
};

/* Read the script of that absolute path and the map that it names, if both are regular files below
 * the folder; else return NULL. What is wrong with one that is there is reported. The texts are
 * copied. */
struct mappedscript *mappedscript_open(struct mapfiles *files, struct span path,
                                       struct span folder);

/* Read a file in which a loader keeps a script and its map, {"code": "...", "map": {...}}, by its
 * lines. The script was loaded from `path`. NULL: it is no such file. */
struct mappedscript *mappedscript_entry(struct lines *lines, struct span path);

/* Return how much memory it takes, in bytes. */
size_t mappedscript_size(const struct mappedscript *s);

void mappedscript_free(struct mappedscript *s);

#endif

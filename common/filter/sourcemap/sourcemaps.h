/* Names the functions of bundles, and of what compilers make of TypeScript, as their sources do. */
#ifndef SOURCEMAP_SOURCEMAPS_H
#define SOURCEMAP_SOURCEMAPS_H

#include "common/filter/sourcemap/tsxcache.h"
#include "common/base/intern.h"
#include "common/stack/frames/v8name.h"

enum { SOURCEMAPS_MB = 512 }; /* that all scripts and maps may take in memory */

struct sourcemaps {
    struct mapfiles files;
    struct span folder;    /* files are opened below it; empty: each script's own */
    struct intern scripts; /* by their names in frames */
    struct script *list;   /* by number */
    size_t cap, size;      /* `size` bytes are taken by maps */
    bool full;
    struct tsxcache tsx;
    struct text candidate, function, place, path;
};

/* Start. The folder, which is borrowed, is the only one below which files are opened; NULL: the
 * folder of each script, and tsx's cache. Return false if the folder is not there: errno. */
bool sourcemaps_init(struct sourcemaps *s, const char *folder, struct diag *diag);

/* If a map tells where the function comes from, set its name, file and position, which are valid
 * until the next call, and return true. What is wrong with a script or a map is reported once. */
bool sourcemaps_find(struct sourcemaps *s, struct v8name *n);

#endif

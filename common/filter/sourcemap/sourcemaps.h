/* Gives functions of bundles and of compiled TypeScript the names that they have in their sources.
 */
#ifndef SOURCEMAP_SOURCEMAPS_H
#define SOURCEMAP_SOURCEMAPS_H

#include "common/filter/sourcemap/tsxcache.h"
#include "common/base/intern.h"
#include "common/stack/frames/v8name.h"

enum { SOURCEMAPS_MB = 512 }; /* limit on the memory of all scripts and maps, in megabytes */

struct sourcemaps {
    struct mapfiles files;
    struct span folder;    /* open files only below it; empty: the folder of each script */
    struct intern scripts; /* names of scripts in frames */
    struct script *list;   /* indexed by number in `scripts` */
    size_t cap, size;      /* size: bytes of all maps */
    bool full;
    struct tsxcache tsx;
    struct text candidate, function, place, path;
};

/* Start. Files are opened only below the folder, which is borrowed; if that is NULL, below the
 * folder of each script, and in tsx's cache. Return false, with errno, if the folder does not
 * exist. */
bool sourcemaps_init(struct sourcemaps *s, const char *folder, struct diag *diag);

/* If a map has the origin of the function, set its name, file and position, which are valid until
 * the next call, and return true. What is wrong with a script or a map is reported once. */
bool sourcemaps_find(struct sourcemaps *s, struct v8name *n);

#endif

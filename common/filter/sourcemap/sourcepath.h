/* Paths and URLs of scripts, source maps and sources, as text. */
#ifndef SOURCEMAP_SOURCEPATH_H
#define SOURCEMAP_SOURCEPATH_H

#include "common/filter/sourcemap/sourcemap.h"
#include "common/base/text.h"

/* Append the absolute path of the file that a frame names: "/p/a.js", "file:///p/a%20b.mjs?x=1".
 * Return false if it names no file: "node:fs", "https://host/x.js", a path with a NUL byte. */
bool sourcepath_of_script(struct span file, struct text *to);

/* Append the path without ".", ".." and double slashes. The result is absolute, or it is relative
 * and begins with "./" or "../". */
void sourcepath_normalize(struct span path, struct text *to);

/* Append the path of a source as it is shown. `map` is the absolute path of the map, which resolves
 * relative paths. Webpack's URLs become "./src/x.ts" and "webpack/bootstrap"; URLs with another
 * scheme are unchanged. */
void sourcepath_of_source(const struct mapsource *source, struct span map, struct text *to);

/* Append the path of the map that a script names by `url`; `script` is the script's absolute path.
 * Return false if the URL is not that of a file. */
bool sourcepath_of_map(struct span url, struct span script, struct text *to);

/* Return the folder of an absolute path, without a slash at its end; "/" for a file in the root. */
struct span sourcepath_folder(struct span path);

/* Return true if the normalized path lies in the normalized folder or below it. */
bool sourcepath_is_below(struct span path, struct span folder);

#endif

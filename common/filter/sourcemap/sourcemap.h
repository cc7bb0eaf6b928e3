/* A source map: maps positions in a file written by a bundler or compiler to positions and names in
 * the files written by the user. See ECMA-426, version 3. */
#ifndef SOURCEMAP_H
#define SOURCEMAP_H

#include <stdint.h>

#include "common/filter/sourcemap/jstext.h"
#include "common/base/lines.h"
#include "common/base/mem.h"

/* Limits. Larger files are refused; the other two bound the memory of a map. */
enum {
    SOURCEMAP_MAX_MB = 128,
    SOURCEMAP_SEGMENTS = 8 << 20,
    SOURCEMAP_TEXTS = 4 << 20, /* sources, their texts, and names */
    SOURCEMAP_WHY = 192
};

#define SOURCEMAP_NONE UINT32_MAX

/* From this position in the generated file on, up to the next segment or the end of the line, the
 * text comes from the original position. Lines and columns count from 0, columns in UTF-16 code
 * units, as V8 counts them. */
struct segment {
    uint32_t line, column;
    uint32_t source; /* SOURCEMAP_NONE: the text comes from no source */
    uint32_t original_line, original_column;
    uint32_t name; /* SOURCEMAP_NONE: no name */
};

struct mapsource {
    struct span root, path; /* unchanged from the map: sourceRoot, and the entry of sources */
    struct span content;    /* text of the source; empty if the map does not have it */
    struct jstext text;     /* `content`, indexed when it is first needed; count 0: not yet */
};

struct maptexts {
    struct span *list;
    size_t count, cap;
};

/* {0} is one without segments. */
struct sourcemap {
    struct segment *segments; /* sorted by line and column, no two at the same position */
    size_t count, cap;
    struct mapsource *sources;
    size_t nsources, sources_cap;
    struct maptexts names;
    struct arena arena;
};

/* Parse a map's JSON text into *m, which is {0}. Return false on failure, with the reason in `why`;
 * *m must be freed even then. */
bool sourcemap_read(struct sourcemap *m, struct lines *lines, char why[static SOURCEMAP_WHY]);

/* As sourcemap_read, for the JSON text that loaders keep: `{"code": "...", "map": {...}}`. Set
 * *code to a copy of the member "code", empty if there is none. */
bool sourcemap_read_entry(struct sourcemap *m, struct lines *lines, struct span *code,
                          char why[static SOURCEMAP_WHY]);

/* Return the segment that the position is in, or NULL if it is in none or comes from no source. */
const struct segment *sourcemap_find(const struct sourcemap *m, uint32_t line, uint32_t column);

/* Return the source's text from the original position of a segment on; empty if unknown. */
struct span sourcemap_original(struct sourcemap *m, const struct segment *s);

/* Return the first segment of a line; NULL unless the whole line comes from one line of one
 * source. */
const struct segment *sourcemap_line(const struct sourcemap *m, uint32_t line);

/* Return the memory of the map in bytes. */
size_t sourcemap_size(const struct sourcemap *m);

void sourcemap_free(struct sourcemap *m);

#endif

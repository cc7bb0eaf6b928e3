#define _XOPEN_SOURCE 700 /* realpath */
#include "common/filter/sourcemap/sourcemaps.h"

#include <limits.h>
#include <stdlib.h>

#include "common/filter/sourcemap/funcname.h"
#include "common/filter/sourcemap/sourcepath.h"
#include "common/base/num.h"

enum { NAME_BYTES_MAX = 4096 }; /* longer names and paths are not shown */

/* A script that a frame names. Of several versions at most one was running. */
struct script {
    struct mappedscript *versions[TSXCACHE_VERSIONS];
    size_t count;
    bool has_changed; /* that was reported */
};

bool
sourcemaps_init(struct sourcemaps *s, const char *folder, struct diag *diag)
{
    static char path[PATH_MAX];
    *s = (struct sourcemaps){.full = false};
    mapfiles_init(&s->files, diag);
    if (folder == NULL)
        return true;
    s->tsx.folder = folder;
    s->folder = realpath(folder, path) != NULL ? span_cstr(path) : SPAN("");
    return s->folder.len > 0;
}

/* Return true for what node does not run as it is. */
static bool
is_typescript(struct span path)
{
    static const struct span endings[] = {SPAN(".ts"), SPAN(".tsx"), SPAN(".mts"), SPAN(".cts"),
                                          SPAN(".jsx")};
    size_t dot = span_rfind(path, '.');
    return dot != SPAN_NONE &&
           span_eq_any(span_from(path, dot), endings, sizeof endings / sizeof *endings);
}

/* Read the maps of a script that was not seen before. */
static struct script
open_script(struct sourcemaps *s, struct span file)
{
    struct script script = {.count = 0};
    s->path.len = 0;
    if (s->full || !sourcepath_of_script(file, &s->path))
        return script;
    struct span path = text_span(&s->path);
    struct span folder = s->folder.len > 0 ? s->folder : sourcepath_folder(path);
    if (sourcepath_is_below(path, folder))
        script.versions[0] = mappedscript_open(&s->files, path, folder);
    script.count = script.versions[0] != NULL;
    if (script.count == 0 && is_typescript(path))
        script.count = tsxcache_find(&s->tsx, &s->files, path, script.versions);
    for (size_t i = 0; i < script.count; i++)
        s->size += mappedscript_size(script.versions[i]);
    s->full = s->size > (size_t)SOURCEMAPS_MB << 20;
    if (s->full)
        diag_warn(s->files.diag, NULL, NOWHERE,
                  "%.*s: with it source maps take more than %d MB of memory: functions of further "
                  "scripts keep their names",
                  SPAN_ARG(path), SOURCEMAPS_MB);
    return script;
}

static struct script *
find_script(struct sourcemaps *s, struct span file)
{
    uint32_t id;
    bool is_new = intern_put(&s->scripts, file, &id);
    s->list = mem_grow(s->list, &s->cap, s->scripts.count, sizeof *s->list);
    if (is_new)
        s->list[id] = open_script(s, file);
    return &s->list[id];
}

/* Read "12:34" or "12", counted from 1, as numbers from 0. */
static bool
parse_position(struct span position, uint32_t *line, uint32_t *column, bool *has_column)
{
    uint64_t l, c = 1;
    struct span first = span_take(&position, ':');
    *has_column = position.len > 0;
    if (!num_u64(first, &l) || (*has_column && !num_u64(position, &c)) || l == 0 || c == 0 ||
        l > INT32_MAX || c > INT32_MAX)
        return false;
    *line = (uint32_t)l - 1;
    *column = (uint32_t)c - 1;
    return true;
}

/* Set the file and the position to those of the segment; false if they cannot be shown. */
static bool
set_place(struct sourcemaps *s, const struct mappedscript *version, const struct segment *segment,
          struct v8name *n)
{
    char line[NUM_DIGITS], column[NUM_DIGITS];
    const struct mapsource *source = &version->map.sources[segment->source];
    if (source->path.len == 0 || source->path.len + source->root.len > NAME_BYTES_MAX)
        return false;
    s->place.len = 0;
    sourcepath_of_source(source, version->base, &s->place);
    text_replace(&s->place, ';', ':');
    size_t file = s->place.len;
    TEXT_ADD(&s->place, num_decimal(line, (uint64_t)segment->original_line + 1), SPAN(":"),
             num_decimal(column, (uint64_t)segment->original_column + 1));
    n->file = span_head(text_span(&s->place), file);
    n->position = span_from(text_span(&s->place), file);
    return true;
}

/* Find which version was running, with the function's name in s->function: the one in which that
 * is, else the first in which a function may begin at its place. */
static struct mappedscript *
find_version(struct sourcemaps *s, const struct script *script, uint32_t line, uint32_t column,
             struct span name)
{
    struct mappedscript *found = NULL;
    for (size_t i = 0; i < script->count; i++) {
        struct mappedscript *version = script->versions[i];
        s->candidate.len = 0;
        enum funcname fits =
            funcname_find(&version->map, &version->script, line, column, name, &s->candidate);
        if (fits == FUNCNAME_FOUND || (fits == FUNCNAME_KEPT && found == NULL)) {
            text_set(&s->function, text_span(&s->candidate));
            found = version;
        }
        if (fits == FUNCNAME_FOUND)
            break;
    }
    return found;
}

static void
report_change(struct sourcemaps *s, struct script *script, const struct v8name *n)
{
    if (!script->has_changed)
        diag_warn(s->files.diag, "scripts that have changed", NOWHERE,
                  "%.*s: no function begins at %.*s: the script has changed since it was recorded",
                  SPAN_ARG(n->file), SPAN_ARG(n->position));
    script->has_changed = true;
}

bool
sourcemaps_find(struct sourcemaps *s, struct v8name *n)
{
    uint32_t line, column;
    bool has_column;
    if (n->wasm || !parse_position(n->position, &line, &column, &has_column))
        return false;
    struct script *script = find_script(s, n->file);
    if (script->count == 0)
        return false;
    const struct mappedscript *version = script->versions[0];
    if (!has_column) { /* as in Node 18 and before: then the line must come from one line */
        const struct segment *segment = sourcemap_line(&version->map, line);
        return segment != NULL && set_place(s, version, segment, n);
    }
    version = find_version(s, script, line, column, n->function);
    if (version == NULL) {
        report_change(s, script, n);
        return false;
    }
    const struct segment *segment = sourcemap_find(&version->map, line, column);
    if (segment == NULL || s->function.len > NAME_BYTES_MAX || !set_place(s, version, segment, n))
        return false;
    text_replace(&s->function, ';', ':');
    n->function = text_span(&s->function);
    return true;
}

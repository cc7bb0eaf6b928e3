/*     //# sourceMappingURL=main.js.map
 *     //# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz...
 *
 * ECMA-426, "Linking generated code to source maps". */
#include "common/filter/sourcemap/mappedscript.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/filter/sourcemap/sourcepath.h"
#include "common/filter/sourcemap/vlq.h"
#include "common/base/temporary.h"

enum { MB = 1 << 20 };

/* What is needed to open the files of a script. */
struct opener {
    struct mappedscript *script;
    struct span path, folder;
    struct mapfiles *files;
    struct regular_file file; /* of the script; closed, but that it was read may be noted */
};

/* Report what is wrong with a map, or with the URL of one. */
static void
report(const struct opener *o, struct place at, const char *why)
{
    diag_warn(o->files->diag, "source maps that are not used", at,
              "%s: the functions of %.*s keep their names", why, SPAN_ARG(o->path));
}

/* Open a file below the folder, without leaving that by links. */
static bool
open_below(const struct opener *o, struct regular_file *file, const char *path, uint64_t most,
           const char **problem)
{
    struct arena arena = {0};
    struct regular rules = {.root = arena_cstr(&arena, o->folder), .most = most};
    *problem = regular_open(file, path, &rules);
    arena_free(&arena);
    if (*problem == NULL && file->st.st_size == 0) {
        regular_close(file);
        *problem = "is empty";
    }
    return *problem == NULL;
}

/* Return true if the script is worth reading: not if it was read under another name, and has no map
 * that can be used. */
static bool
is_worth_reading(const struct opener *o, const char *path)
{
    bool bad_map = mapfiles_is_useless(o->files, &o->file, sourcepath_folder(o->path));
    if (bad_map)
        report(o, (struct place){path, 0},
               "this is another name of a script whose source map is not used");
    return !bad_map && !mapfiles_is_useless(o->files, &o->file, SPAN(""));
}

/* A script that is not there was recorded on another machine, or its package has no such file. */
static bool
read_script(struct opener *o, struct span *text)
{
    const size_t most = (size_t)MAPPEDSCRIPT_MAX_MB * MB;
    struct lines *lines = &o->script->lines;
    struct arena arena = {0};
    const char *path = arena_cstr(&arena, o->path), *problem;
    bool done = false;
    if (open_below(o, &o->file, path, most, &problem)) {
        done = is_worth_reading(o, path) && mapfiles_read(o->files, &o->file, path, lines);
        if (done)
            *text = lines_ahead(lines, most + 1);
        regular_close(&o->file);
    } else if (strcmp(problem, strerror(ENOENT)) != 0) {
        diag_warn(o->files->diag, "scripts that could not be read", (struct place){path, 0},
                  "%s: its functions keep their names", problem);
    }
    arena_free(&arena);
    return done && lines->error == 0;
}

/* Return the URL at the start of the text; empty if what is there is part of a program, such as of
 * a bundler itself. */
static struct span
take_url(struct span text)
{
    size_t len = 0;
    while (len < text.len && !is_space(text.ptr[len])) {
        switch (text.ptr[len++]) {
        case '"':
        case '\'':
        case '`':
        case '{':
        case '}':
        case '\\':
            return SPAN("");
        }
    }
    return span_head(text, len);
}

/* Return true if the text ends in what begins such a comment: two slashes, or a slash and a star,
 * then "#", or "@" of older tools. */
static bool
begins_comment(struct span text)
{
    text.len = span_run_before(text, text.len, is_blank);
    if (!span_ends(text, SPAN("#")) && !span_ends(text, SPAN("@")))
        return false;
    text.len--;
    return span_ends(text, SPAN("//")) || span_ends(text, SPAN("/*"));
}

/* Return the URL of the last comment of that kind; empty if there is none. What is searched ends
 * before the comment that was looked at last, so that no byte is read many times. */
static struct span
find_url(struct span text)
{
    const struct span key = SPAN("sourceMappingURL=");
    for (size_t at; (at = span_rsearch(text, key)) != SPAN_NONE; text = span_head(text, at)) {
        struct span url = SPAN("");
        if (begins_comment(span_head(text, at)))
            url = take_url(span_from(text, at + key.len));
        url.len -= span_ends(url, SPAN("*/")) ? 2 : 0;
        if (url.len > 0)
            return url;
    }
    return SPAN("");
}

/* Read the map from its lines. `name` is its file, for messages. */
static bool
read_map(const struct opener *o, struct lines *lines, const char *name)
{
    char why[SOURCEMAP_WHY];
    bool understood = sourcemap_read(&o->script->map, lines, why);
    if (!understood)
        report(o, (struct place){name, lines->number}, why);
    return understood;
}

/* Read a map out of a URL, "data:application/json;charset=utf-8;base64,...". */
static bool
read_inline(const struct opener *o, struct span url)
{
    const char *name = arena_cstr(&o->script->arena, o->path);
    struct span head = span_take(&url, ',');
    struct lines lines = {0};
    struct text json = {0};
    bool understood = false,
         decoded = span_ends(head, SPAN(";base64")) && base64_decode(url, &json);
    int fd = decoded ? temporary_open() : -1;
    bool written = fd >= 0 && temporary_write(fd, text_span(&json)) && lseek(fd, 0, SEEK_SET) == 0;
    free(json.ptr);
    if (written) {
        lines_start(&lines, fd);
        understood = read_map(o, &lines, name);
        lines_free(&lines);
    } else {
        report(o, (struct place){name, 0},
               decoded ? "there is no room to decode its inline source map"
                       : "its inline source map is not base64");
    }
    if (fd >= 0)
        close(fd);
    return understood;
}

/* Read the map in an open file, unless that was done under another name and was of no use. */
static bool
read_file(const struct opener *o, struct regular_file *file, const char *name)
{
    struct lines lines = {0};
    bool known = mapfiles_is_useless(o->files, file, SPAN(""));
    if (known)
        report(o, (struct place){name, 0}, "this source map has been read and is not used");
    if (known || !mapfiles_read(o->files, file, name, &lines))
        return false;
    bool understood = read_map(o, &lines, name);
    lines_free(&lines);
    if (!understood)
        mapfiles_set_useless(o->files, file, SPAN(""));
    return understood;
}

/* Read the map in the file that the URL names. */
static bool
read_beside(const struct opener *o, struct span url)
{
    struct arena *arena = &o->script->arena;
    struct text path = {0};
    struct regular_file file;
    const char *problem = NULL;
    bool understood = false;
    url.len = url.len > PATH_MAX ? PATH_MAX : url.len; /* what is longer is no file either */
    bool is_file = sourcepath_of_map(url, o->path, &path);
    o->script->base = arena_copy(arena, text_span(&path));
    const char *name = arena_cstr(arena, is_file ? text_span(&path) : url);
    free(path.ptr);
    if (!is_file) {
        problem = "this source map is no file";
    } else if (!sourcepath_is_below(o->script->base, o->folder)) {
        problem = "this source map is outside of the folder that --source-maps=DIR names, or of "
                  "the script's";
    } else if (open_below(o, &file, name, (uint64_t)SOURCEMAP_MAX_MB * MB, &problem)) {
        understood = read_file(o, &file, name);
        regular_close(&file);
    }
    if (problem != NULL)
        report(o, (struct place){name, 0}, problem);
    return understood;
}

static bool
open_files(struct opener *o)
{
    struct mappedscript *s = o->script;
    struct span text, url;
    if (!read_script(o, &text))
        return false;
    url = find_url(text);
    s->base = arena_copy(&s->arena, o->path);
    if (url.len > 0 &&
        (span_starts(url, SPAN("data:")) ? read_inline(o, url) : read_beside(o, url))) {
        jstext_init(&s->script, text);
        return true;
    }
    mapfiles_set_useless(o->files, &o->file, url.len > 0 ? sourcepath_folder(o->path) : SPAN(""));
    return false;
}

static struct mappedscript *
new_script(void)
{
    struct mappedscript *s = mem_alloc(sizeof *s);
    *s = (struct mappedscript){.base = SPAN("")};
    return s;
}

struct mappedscript *
mappedscript_open(struct mapfiles *files, struct span path, struct span folder)
{
    struct opener o = {.script = new_script(), .path = path, .folder = folder, .files = files};
    if (open_files(&o))
        return o.script;
    mappedscript_free(o.script);
    return NULL;
}

struct mappedscript *
mappedscript_entry(struct lines *lines, struct span path)
{
    struct mappedscript *s = new_script();
    struct span code;
    char why[SOURCEMAP_WHY];
    if (!sourcemap_read_entry(&s->map, lines, &code, why) || code.len == 0) {
        mappedscript_free(s);
        return NULL;
    }
    s->base = arena_copy(&s->arena, path);
    jstext_init(&s->script, code);
    return s;
}

size_t
mappedscript_size(const struct mappedscript *s)
{
    return s->lines.cap + sourcemap_size(&s->map) + arena_size(&s->arena);
}

void
mappedscript_free(struct mappedscript *s)
{
    jstext_free(&s->script);
    sourcemap_free(&s->map);
    lines_free(&s->lines);
    arena_free(&s->arena);
    free(s);
}

/*     //# sourceMappingURL=main.js.map
 *     //# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz...
 *
 * ECMA-426, "Linking generated code to source maps". */
#include "cmd/stackfilter/sourcemap/mappedscript.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/stackfilter/sourcemap/sourcepath.h"
#include "cmd/stackfilter/sourcemap/vlq.h"
#include "common/base/regular.h"
#include "common/base/temporary.h"

enum { MB = 1 << 20 };

/* What is needed to open the files of a script. */
struct opener {
    struct mappedscript *script;
    struct span path, folder;
    struct diag *diag;
};

/* Open a file below the folder, without leaving that by links. Return NULL, or what is wrong. */
static const char *
open_below(const struct opener *o, struct regular_file *f, const char *path, uint64_t most)
{
    struct arena arena = {0};
    struct regular rules = {.root = arena_cstr(&arena, o->folder), .most = most};
    const char *problem = regular_open(f, path, &rules);
    arena_free(&arena);
    if (problem != NULL || f->st.st_size > 0)
        return problem;
    regular_close(f);
    return "is empty";
}

/* A script that is not there was recorded on another machine, or its package has no such file. */
static bool
read_script(const struct opener *o, struct span *text)
{
    const size_t most = (size_t)MAPPEDSCRIPT_MOST_MB * MB;
    struct lines *lines = &o->script->lines;
    struct arena arena = {0};
    struct regular_file f;
    const char *path = arena_cstr(&arena, o->path), *problem = open_below(o, &f, path, most);
    if (problem == NULL) {
        regular_lines(&f, lines);
        *text = lines_ahead(lines, most + 1);
        regular_close(&f);
    } else if (strcmp(problem, strerror(ENOENT)) != 0) {
        diag_warn(o->diag, "scripts that could not be read", (struct place){path, 0},
                  "%s: its functions keep their names", problem);
    }
    arena_free(&arena);
    return problem == NULL && lines->error == 0 && text->len <= most;
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

/* Report what is wrong with a map, or with the URL of one. */
static void
report(const struct opener *o, struct place at, const char *why)
{
    diag_warn(o->diag, "source maps that are not used", at,
              "%s: the functions of %.*s keep their names", why, SPAN_ARG(o->path));
}

/* Read the map from a file, which is closed. `name` is its path, for messages. */
static bool
read_map(const struct opener *o, struct regular_file *f, const char *name)
{
    struct lines lines = {0};
    char why[SOURCEMAP_WHY];
    regular_lines(f, &lines);
    bool understood = sourcemap_read(&o->script->map, &lines, why);
    if (!understood)
        report(o, (struct place){name, lines.number}, why);
    regular_close(f);
    lines_free(&lines);
    return understood;
}

/* Read a map out of a URL, "data:application/json;charset=utf-8;base64,...". */
static bool
read_inline(const struct opener *o, struct span url)
{
    const char *name = arena_cstr(&o->script->arena, o->path);
    struct span head = span_take(&url, ',');
    struct text json = {0};
    bool decoded = span_ends(head, SPAN(";base64")) && base64_decode(url, &json);
    int fd = decoded ? temporary_open() : -1;
    bool written = fd >= 0 && temporary_write(fd, text_span(&json));
    struct regular_file f = regular_of(fd);
    free(json.ptr);
    if (written)
        return read_map(o, &f, name);
    regular_close(&f);
    report(o, (struct place){name, 0},
           decoded ? "there is no room to decode its inline source map"
                   : "its inline source map is not base64");
    return false;
}

/* Read the map in the file that the URL names. */
static bool
read_beside(const struct opener *o, struct span url)
{
    struct arena *arena = &o->script->arena;
    struct text path = {0};
    const char *problem;
    url.len = url.len > PATH_MAX ? PATH_MAX : url.len; /* what is longer is no file either */
    bool is_file = sourcepath_of_map(url, o->path, &path);
    o->script->base = arena_copy(arena, text_span(&path));
    const char *name = arena_cstr(arena, is_file ? text_span(&path) : url);
    free(path.ptr);
    struct regular_file f;
    if (!is_file)
        problem = "this source map is no file";
    else if (!sourcepath_is_below(o->script->base, o->folder))
        problem = "this source map is outside of the folder that --source-maps=DIR names, or of "
                  "the script's";
    else
        problem = open_below(o, &f, name, (uint64_t)SOURCEMAP_MOST_MB * MB);
    if (problem != NULL)
        report(o, (struct place){name, 0}, problem);
    return problem == NULL && read_map(o, &f, name);
}

static bool
open_files(const struct opener *o)
{
    struct mappedscript *s = o->script;
    struct span text, url;
    if (!read_script(o, &text) || (url = find_url(text)).len == 0)
        return false;
    s->base = arena_copy(&s->arena, o->path);
    if (!(span_starts(url, SPAN("data:")) ? read_inline(o, url) : read_beside(o, url)))
        return false;
    jstext_init(&s->script, text);
    return true;
}

static struct mappedscript *
new_script(void)
{
    struct mappedscript *s = mem_alloc(sizeof *s);
    *s = (struct mappedscript){.base = SPAN("")};
    return s;
}

struct mappedscript *
mappedscript_open(struct span path, struct span folder, struct diag *diag)
{
    struct opener o = {new_script(), path, folder, diag};
    if (open_files(&o))
        return o.script;
    mappedscript_free(o.script);
    return NULL;
}

struct mappedscript *
mappedscript_entry(struct regular_file *f, struct span path)
{
    struct mappedscript *s = new_script();
    struct lines lines = {0};
    struct span code;
    char why[SOURCEMAP_WHY];
    regular_lines(f, &lines);
    bool understood = sourcemap_read_entry(&s->map, &lines, &code, why) && code.len > 0;
    regular_close(f);
    lines_free(&lines);
    if (!understood) {
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

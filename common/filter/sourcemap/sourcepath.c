#include "common/filter/sourcemap/sourcepath.h"

#include <stdlib.h>

#include "common/base/num.h"

static const struct span file_scheme = SPAN("file://");

/* Return the length of "webpack://" or another scheme, with its "://" or, of "data:" and the like,
 * its ":"; 0 if there is none. One letter is a drive of Windows. */
static size_t
scheme_length(struct span url)
{
    size_t letters = 0;
    while (letters < url.len &&
           (is_word(url.ptr[letters]) || (letters > 0 && span_has(SPAN("+-."), url.ptr[letters]))))
        letters++;
    if (letters < 2 || !is_alpha(url.ptr[0]) || letters == url.len || url.ptr[letters] != ':')
        return 0;
    struct span after = span_from(url, letters + 1);
    return letters + 1 + (span_starts(after, SPAN("//")) ? 2 : 0);
}

/* Append the text with "%20" and such decoded. */
static void
decode_percent(struct span s, struct text *to)
{
    for (; s.len > 0; s = span_from(s, 1)) {
        unsigned high = 16, low = 16;
        if (s.ptr[0] == '%' && s.len > 2) {
            high = num_hex_digit(s.ptr[1]);
            low = num_hex_digit(s.ptr[2]);
        }
        char byte = high < 16 && low < 16 ? (char)(high << 4 | low) : s.ptr[0];
        text_add(to, span_of(&byte, 1));
        s = high < 16 && low < 16 ? span_from(s, 2) : s;
    }
}

/* Cut "?x=1" and "#x" off. */
static struct span
without_query(struct span url)
{
    return span_before(span_before(url, '?'), '#');
}

/* Append the path of "file:///p/a%20b.mjs"; false if it is of another host. */
static bool
file_path(struct span url, struct text *to)
{
    url = span_from(without_query(url), file_scheme.len);
    if (!span_starts(url, SPAN("/")))
        return false;
    decode_percent(url, to);
    return true;
}

/* Return true if the text has a path from `start` on. */
static bool
is_path(const struct text *t, size_t start)
{
    return t->len > start && !span_has(span_from(text_span(t), start), '\0');
}

bool
sourcepath_of_script(struct span file, struct text *to)
{
    size_t start = to->len;
    struct text path = {0};
    if (span_starts(file, SPAN("/")))
        text_add(&path, file);
    else if (span_starts(file, file_scheme))
        file_path(file, &path);
    if (path.len > 0)
        sourcepath_normalize(text_span(&path), to);
    free(path.ptr);
    return is_path(to, start);
}

void
sourcepath_normalize(struct span path, struct text *to)
{
    bool absolute = span_starts(path, SPAN("/"));
    struct text parts = {0}; /* "/a/b" */
    size_t ups = 0;
    while (path.len > 0) {
        struct span part = span_take(&path, '/');
        if (part.len == 0 || span_eq(part, SPAN(".")))
            continue;
        if (!span_eq(part, SPAN("..")))
            TEXT_ADD(&parts, SPAN("/"), part);
        else if (parts.len > 0)
            parts.len = span_rfind(text_span(&parts), '/');
        else
            ups++;
    }
    if (!absolute)
        text_add(to, ups > 0 ? SPAN("..") : SPAN("."));
    for (size_t i = 1; i < ups && !absolute; i++)
        text_add(to, SPAN("/.."));
    text_add(to, absolute && parts.len == 0 ? SPAN("/") : text_span(&parts));
    free(parts.ptr);
}

/* "webpack://name/./src/x.ts?a1b2", "webpack:///webpack/bootstrap", "webpack:////p/x.ts",
 * "webpack:///(webpack)/x.js", "webpack://name/external commonjs \"fs\"". */
static void
add_webpack(struct span url, struct text *to)
{
    static const struct span own[] = {SPAN("webpack/"), SPAN("external ")};
    struct span path = span_before(url, '?');
    span_take(&path, '/');
    if (span_skip(&path, SPAN("(webpack)/")) || span_starts_any(path, own, 2))
        TEXT_ADD(to, span_starts(path, own[0]) ? SPAN("") : SPAN("webpack/"), path);
    else
        sourcepath_normalize(path, to);
}

/* Append a URL or path that relates to the folder of the file `base`. */
static void
add_joined(struct span url, struct span base, struct text *to)
{
    struct text path = {0};
    size_t scheme = scheme_length(url);
    if (span_starts(url, file_scheme) && file_path(url, &path))
        sourcepath_normalize(text_span(&path), to);
    else if (span_starts(url, SPAN("webpack")) && scheme > 0)
        add_webpack(span_from(url, scheme), to);
    else if (scheme > 0)
        text_add(to, url);
    else if (span_starts(url, SPAN("/")))
        sourcepath_normalize(url, to);
    else {
        TEXT_ADD(&path, sourcepath_folder(base), SPAN("/"), url);
        sourcepath_normalize(text_span(&path), to);
    }
    free(path.ptr);
}

void
sourcepath_of_source(const struct mapsource *source, struct span map, struct text *to)
{
    struct text url = {0};
    struct span root = source->root, path = source->path;
    bool slash = span_ends(root, SPAN("/")), absolute = span_starts(path, SPAN("/"));
    TEXT_ADD(&url, root, root.len > 0 && !slash && !absolute ? SPAN("/") : SPAN(""),
             slash && absolute ? span_from(path, 1) : path);
    add_joined(text_span(&url), map, to);
    free(url.ptr);
}

bool
sourcepath_of_map(struct span url, struct span script, struct text *to)
{
    size_t start = to->len;
    struct text path = {0};
    if (span_starts(url, file_scheme))
        file_path(url, &path);
    else if (scheme_length(url) == 0)
        decode_percent(without_query(url), &path);
    if (path.len > 0)
        add_joined(text_span(&path), script, to);
    free(path.ptr);
    return is_path(to, start);
}

struct span
sourcepath_folder(struct span path)
{
    size_t slash = span_rfind(path, '/');
    return span_head(path, slash != SPAN_NONE && slash > 0 ? slash : 1);
}

bool
sourcepath_is_below(struct span path, struct span folder)
{
    if (!span_starts(path, folder))
        return false;
    return span_ends(folder, SPAN("/")) || path.len == folder.len || path.ptr[folder.len] == '/';
}

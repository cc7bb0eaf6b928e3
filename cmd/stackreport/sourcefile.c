#include "cmd/stackreport/sourcefile.h"

#include <stdlib.h>

#include "common/base/regular.h"

/* If the files in memory exceed this number of bytes, all are dropped. */
enum { BYTES_MAX = 128 << 20 };

static const struct regular rules = {.most = SOURCEFILE_MAX};

/* Open the file below the folder: its whole path, or as little of it as needed. So --source-dir can
 * be the root of the sources, whatever folder they were compiled in. */
static bool
open_below(struct regular_file *f, const char *folder, struct span path)
{
    enum { PARTS_MAX = 64 };
    struct text at = {0};
    bool found = false;
    struct regular below = rules;
    below.root = folder;
    for (int i = 0; i < PARTS_MAX && path.len > 0 && !found; i++) {
        TEXT_SET(&at, span_cstr(folder), SPAN("/"), path, span_of("", 1));
        found = regular_open(f, at.ptr, &below) == NULL;
        span_take(&path, '/');
    }
    free(at.ptr);
    return found;
}

/* Open the file of a path, changed by --prefix-map. Return NULL, or what is wrong. */
static const char *
open_file(const struct sourcefiles *s, struct regular_file *f, struct span path)
{
    struct text changed = {0};
    const char *why = s->folder != NULL ? "not found in the folder of --source-dir"
                                        : "not an absolute path: --source-dir says where it is";
    text_add(&changed, path);
    for (size_t i = 0; i < s->prefixes.n; i++) {
        if (span_starts(path, s->prefixes.at[i].from)) {
            TEXT_SET(&changed, s->prefixes.at[i].to, span_from(path, s->prefixes.at[i].from.len));
            break;
        }
    }
    path = text_span(&changed);
    if (span_has(path, '\0'))
        why = "its path is damaged";
    else if (s->folder != NULL && open_below(f, s->folder, path))
        why = NULL;
    else if (span_starts(path, SPAN("/"))) {
        text_add(&changed, span_of("", 1));
        why = regular_open(f, changed.ptr, &rules);
    }
    free(changed.ptr);
    return why;
}

/* Read the open file, and find its lines. Return NULL, or what is wrong. */
static const char *
read_text(struct sourcefile *to, struct regular_file *f)
{
    static char block[64 * 1024];
    ssize_t got;
    while ((got = regular_read(f, to->text.len, block, sizeof block, NULL)) > 0) {
        if ((size_t)got > SOURCEFILE_MAX - to->text.len)
            return "is too large";
        text_add(&to->text, span_of(block, (size_t)got));
    }
    if (got < 0)
        return "cannot be read";
    for (size_t at = 0; at < to->text.len;) {
        MEM_ADD(to->lines, to->nlines, to->cap, at);
        size_t end = span_find(span_from(text_span(&to->text), at), '\n');
        at = end != SPAN_NONE ? at + end + 1 : to->text.len;
    }
    return NULL;
}

static struct sourcefile
read_file(const struct sourcefiles *s, struct span path)
{
    struct sourcefile to = {0};
    struct regular_file f;
    to.why = open_file(s, &f, path);
    if (to.why != NULL)
        return to;
    to.modified = f.st.st_mtim;
    to.why = read_text(&to, &f);
    regular_close(&f);
    return to;
}

static void
forget(struct sourcefiles *s)
{
    for (size_t i = 0; i < s->files.n; i++) {
        free(s->files.at[i].text.ptr);
        free(s->files.at[i].lines);
    }
    intern_free(&s->paths);
    s->files.n = s->bytes = 0;
}

const struct sourcefile *
sourcefiles_get(struct sourcefiles *s, struct span path)
{
    uint32_t number = intern_find(&s->paths, path);
    if (number != INTERN_NONE)
        return &s->files.at[number];
    if (s->bytes > BYTES_MAX)
        forget(s);
    intern_add(&s->paths, path);
    VEC_ADD(s->files, read_file(s, path));
    struct sourcefile *f = &s->files.at[s->files.n - 1];
    s->bytes += f->text.cap + f->cap * sizeof *f->lines;
    return f;
}

struct span
sourcefile_line(const struct sourcefile *f, uint64_t number)
{
    if (number == 0 || number > f->nlines)
        return SPAN("");
    struct span line = span_before(span_from(text_span(&f->text), f->lines[number - 1]), '\n');
    while (line.len > 0 && is_space(line.ptr[line.len - 1]))
        line.len--;
    return line;
}

void
sourcefiles_free(struct sourcefiles *s)
{
    forget(s);
    free(s->files.at);
    free(s->prefixes.at);
}

/* The file palette.map has one line for each name, sorted by name; flamegraph.pl --cp uses the
 * same:
 *
 *     main->rgb(205,0,23)
 *     parse->rgb(250,12,34) */
#include "cmd/flamesvg/colormap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/lines.h"
#include "common/base/num.h"
#include "common/base/outfile.h"
#include "common/base/pipe.h"
#include "common/base/regular.h"
#include "common/base/sort.h"
#include "common/base/text.h"

static const char file[] = "palette.map";

static const struct place file_place = {file, 0};

/* Return true for a colour in SVG: "rgb(250,12,34)", "#fa0c22", "red". Return false for "url(...)",
 * which a viewer would fetch. */
static bool
is_colour(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_alpha(s.ptr[i]) && !is_digit(s.ptr[i]) && !span_has(SPAN("#(),.% "), s.ptr[i]))
            return false;
    return s.len > 0 && s.ptr[0] != '(' && !span_starts(s, SPAN("url"));
}

/* Add the colour in a line. Return false if it has none. The last "->" separates them, since names
 * may contain others. */
static bool
take_line(struct colormap *m, struct span line)
{
    size_t arrow = span_rfind(line, '>');
    if (arrow == SPAN_NONE || arrow == 0 || line.ptr[arrow - 1] != '-' ||
        !is_colour(span_from(line, arrow + 1)))
        return false;
    colormap_set(m, span_head(line, arrow - 1), span_from(line, arrow + 1));
    return true;
}

/* Open the map. Return false if it does not exist, or if it cannot be used: then set *problem. */
static bool
open_map(struct colormap *m, struct regular_file *f, const char **problem)
{
    const struct regular rules = {.no_link = true, .most = COLORMAP_MAX};
    char *path;
    struct stat st;
    *problem = outfile_resolve(file, &path, &st);
    if (*problem != NULL)
        return false;
    m->path = arena_cstr(&m->arena, span_cstr(path));
    free(path);
    *problem = regular_open(f, m->path, &rules);
    bool opened = *problem == NULL;
    if (!opened && strcmp(*problem, strerror(ENOENT)) == 0)
        *problem = NULL;
    return opened;
}

bool
colormap_read(struct colormap *m, struct diag *diag)
{
    struct lines lines = {0};
    struct span line;
    const char *problem;
    *m = (struct colormap){0};
    struct regular_file f;
    bool opened = open_map(m, &f, &problem);
    if (problem != NULL)
        diag_error(diag, file_place, "%s", problem);
    if (!opened)
        return problem == NULL;
    regular_lines(&f, &lines);
    while (lines_next(&lines, &line))
        if (!take_line(m, line))
            diag_warn(diag, "lines that give no colour", (struct place){file, lines.number},
                      "not name->colour");
    int error = lines.error;
    if (error != 0)
        diag_error(diag, file_place, "%s", regular_error(error));
    lines_free(&lines);
    regular_close(&f);
    m->read = m->names.count;
    return error == 0;
}

struct span
colormap_find(const struct colormap *m, struct span name)
{
    uint32_t id = intern_find(&m->names, name);
    return id != INTERN_NONE ? m->colours[id] : (struct span){NULL, 0};
}

void
colormap_set(struct colormap *m, struct span name, struct span colour)
{
    uint32_t id = intern_add(&m->names, name);
    m->colours = mem_grow(m->colours, &m->cap, (size_t)id + 1, sizeof *m->colours);
    m->colours[id] = arena_copy(&m->arena, colour);
}

static struct text
format_lines(const struct colormap *m)
{
    struct text text = {0};
    size_t n = m->names.count;
    uint32_t *order = mem_alloc(n * sizeof *order);
    sort_order(m->names.texts, n, order);
    for (size_t i = 0; i < n; i++)
        TEXT_ADD(&text, intern_text(&m->names, order[i]), SPAN("->"), m->colours[order[i]],
                 SPAN("\n"));
    free(order);
    return text;
}

/* Return true if the file exists and its mode forbids writing. That also counts for root, for whom
 * the kernel does not check it. */
static bool
is_read_only(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 &&
           ((st.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || access(path, W_OK) != 0);
}

/* Replace the file's contents by the text. Return NULL, or what is wrong: then the new file is
 * removed when the program ends. */
static const char *
replace(struct span text)
{
    struct outfile out;
    const char *problem = outfile_replace(&out, file);
    if (problem != NULL)
        return problem;
    return pipe_write(out.fd, text) && close(out.fd) == 0 ? outfile_finish(&out) : strerror(errno);
}

void
colormap_write(const struct colormap *m, struct diag *diag)
{
    if (m->names.count == m->read)
        return;
    if (is_read_only(m->path)) {
        diag_error(diag, file_place, "read-only: the colours of %s new names are not kept",
                   NUM_TEXT(m->names.count - m->read));
        return;
    }
    struct text text = format_lines(m);
    const char *problem = replace(text_span(&text));
    if (problem != NULL)
        diag_error(diag, file_place, "not updated: %s", problem);
    free(text.ptr);
}

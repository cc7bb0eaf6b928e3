/* A line a name, sorted: "malloc->rgb(250,12,34)". */
#include "cmd/flamesvg/colormap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/input.h"
#include "common/base/out.h"
#include "common/base/sort.h"

static char file[] = "palette.map"; /* the name that flamegraph.pl uses; never written to */

/* "rgb(250,12,34)", "#fa0c22", "red": a colour, and no address of something to load. */
static bool
is_colour(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_alpha(s.ptr[i]) && !is_digit(s.ptr[i]) &&
            span_find(SPAN("#(),.% "), s.ptr[i]) == SPAN_NONE)
            return false;
    return s.len > 0 && s.ptr[0] != '(' && !span_starts(s, SPAN("url"));
}

/* A name may hold "->" itself. */
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

bool
colormap_read(struct colormap *m, struct diag *diag)
{
    char *name = file;
    struct input in;
    struct span line;
    *m = (struct colormap){0};
    if (access(file, F_OK) != 0)
        return true;
    input_start(&in, diag, &name, 1);
    bool opened = input_next(&in);
    while (opened && lines_next(&in.lines, &line))
        if (!take_line(m, line))
            diag_warn(diag, "lines that give no colour", input_place(&in), "not name->colour");
    bool whole = opened && in.lines.error == 0;
    input_free(&in);
    return whole;
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

static void
write_lines(const struct colormap *m, int fd, const char *name)
{
    size_t n = m->names.count;
    uint32_t *order = mem_alloc(n * sizeof *order);
    struct out out;
    out_open(&out, fd, name);
    sort_order(m->names.texts, n, order);
    for (size_t i = 0; i < n; i++) {
        out_span(&out, intern_text(&m->names, order[i]));
        out_text(&out, "->");
        out_span(&out, m->colours[order[i]]);
        out_char(&out, '\n');
    }
    out_close(&out);
    free(order);
}

void
colormap_write(const struct colormap *m, struct diag *diag)
{
    /* In the same directory, so that rename can put it in place at once: readers see either. */
    char fresh[sizeof file + 32];
    snprintf(fresh, sizeof fresh, "%s.%ld", file, (long)getpid());
    int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        diag_error(diag, (struct place){fresh, 0}, "%s", strerror(errno));
        return;
    }
    write_lines(m, fd, fresh);
    if (rename(fresh, file) != 0) {
        diag_error(diag, (struct place){file, 0}, "%s", strerror(errno));
        unlink(fresh);
    }
}

/* Edges are rounded to half pixels, and neighbours of one colour become one rectangle:
 *
 *     <path fill="rgb(205,0,23)" d="M10.5 84h1v15h-1zM14 84h.5v15h-.5z"/>
 *
 * Browsers open a path of a thousand rectangles faster than a hundred elements. */
#include "cmd/flamesvg/mosaic.h"

#include <stdlib.h>

#include "common/base/number.h"

/* A frame, or neighbours with the same fill. */
struct tile {
    uint32_t fill;
    double y, x1, x2; /* x in half pixels */
    size_t next;      /* of the same fill */
};

/* The last tile of the row at that depth. */
static size_t *
newest_at(struct mosaic *m, size_t depth)
{
    m->newest = mem_grow(m->newest, &m->newest_cap, depth + 1, sizeof *m->newest);
    while (m->rows <= depth)
        m->newest[m->rows++] = SPAN_NONE;
    return &m->newest[depth];
}

/* The path of that fill, which may be new. */
static struct path *
path_of(struct mosaic *m, uint32_t fill)
{
    size_t known = m->paths_cap;
    m->paths = mem_grow(m->paths, &m->paths_cap, (size_t)fill + 1, sizeof *m->paths);
    for (; known < m->paths_cap; known++)
        m->paths[known].first = SPAN_NONE;
    return &m->paths[fill];
}

void
mosaic_add(struct mosaic *m, const struct canvas *c, const struct frame *f, struct span fill)
{
    const struct box b = box_of(c, f);
    double x1 = number_whole(2 * b.x1), x2 = number_whole(2 * b.x2);
    if (x1 == x2)
        return;
    uint32_t id = intern_add(&m->fills, fill);
    size_t *newest = newest_at(m, f->depth);
    struct tile *before = *newest != SPAN_NONE ? &m->tiles[*newest] : NULL;
    if (before != NULL && before->fill == id && before->x2 == x1) {
        before->x2 = x2;
        return;
    }
    struct path *path = path_of(m, id);
    if (path->first == SPAN_NONE)
        path->first = m->count;
    else
        m->tiles[path->last].next = m->count;
    path->last = *newest = m->count;
    m->tiles = mem_grow(m->tiles, &m->tiles_cap, m->count + 1, sizeof *m->tiles);
    m->tiles[m->count++] = (struct tile){id, b.y, x1, x2, SPAN_NONE};
}

/* "12.5", ".5" */
static void
put(struct out *out, double value)
{
    char digits[NUMBER_TEXT];
    struct span s = number_plain(digits, value);
    out_span(out, span_starts(s, SPAN("0.")) ? span_from(s, 1) : s);
}

static void
put_tile(struct out *out, const struct tile *t, double height)
{
    double width = (t->x2 - t->x1) / 2;
    out_char(out, 'M');
    put(out, t->x1 / 2);
    out_char(out, ' ');
    put(out, t->y);
    out_char(out, 'h');
    put(out, width);
    out_char(out, 'v');
    put(out, height);
    out_text(out, "h-");
    put(out, width);
    out_char(out, 'z');
}

void
mosaic_draw(struct mosaic *m, const struct canvas *c)
{
    struct out *out = c->xml.out;
    out_cstr(out, m->count > 0 ? "<g id=\"mosaic\">\n" : "");
    for (uint32_t fill = 0; fill < m->fills.count; fill++) {
        out_text(out, "<path");
        xml_attribute(&c->xml, "fill", intern_text(&m->fills, fill));
        out_text(out, " d=\"");
        for (size_t i = m->paths[fill].first; i != SPAN_NONE; i = m->tiles[i].next)
            put_tile(out, &m->tiles[i], c->o->height - CANVAS_GAP);
        out_text(out, "\"/>\n");
    }
    out_cstr(out, m->count > 0 ? "</g>\n" : "");
    intern_free(&m->fills);
    free(m->paths);
    free(m->tiles);
    free(m->newest);
}
